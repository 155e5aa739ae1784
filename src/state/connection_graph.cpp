#include "state/connection_graph.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "state/particles.h"

namespace treacle {

ConnectionGraph::ConnectionGraph(ScalarType real, Ends ends) : real_(real), ends_(ends) {
    slots_.add<std::uint32_t>("other", "");
    slots_.add<std::uint32_t>("other_id", "");
    slots_.add(ColumnInfo{"rest_length", "m", ColumnShape::scalar, real, false, true});
    if (ends == Ends::bodies) slots_.add(ColumnInfo{"anchor", "m", ColumnShape::vector, real, false, true});
}

std::size_t ConnectionGraph::connection_count() const {
    std::size_t ends = 0;
    for (const std::uint32_t n : count_) ends += n;
    return ends_ == Ends::bodies ? ends : ends / 2;
}

void ConnectionGraph::write_row(std::size_t i, const RowDraft& row, std::span<const std::uint32_t> ids) {
    std::size_t slot = begin_[i];
    for (const std::size_t from : row.kept_) {
        if (from != slot) slots_.copy_row(from, slot);
        ++slot;
    }
    count_[i] = static_cast<std::uint32_t>(slot - begin_[i]);
    if (row.added_.empty()) return;
    const std::size_t first_added = slot;
    const std::size_t end = first_added + row.added_.size();
    for (const ColumnTable::Column& column : slots_.all()) {
        const std::size_t bytes = column.info.row_bytes();
        std::memset(const_cast<std::byte*>(&column.bytes[first_added * bytes]), 0, (end - first_added) * bytes);
    }
    const auto fill = [&]<class Real>(Real) {
        const auto rest_length = slots_.get<Real>("rest_length");
        for (std::size_t n = 0; n < row.added_.size(); ++n) {
            rest_length[first_added + n] = static_cast<Real>(row.added_[n].rest_length);
            if (ends_ == Ends::bodies)
                slots_.get<Row4<Real>>("anchor")[first_added + n] = cast<Real>(row.added_[n].anchor);
        }
    };
    const auto other = slots_.get<std::uint32_t>("other");
    const auto other_id = slots_.get<std::uint32_t>("other_id");
    for (std::size_t n = 0; n < row.added_.size(); ++n) {
        assert(row.added_[n].other < ids.size());
        other[first_added + n] = row.added_[n].other;
        other_id[first_added + n] = ids[row.added_[n].other];
    }
    if (real_ == ScalarType::f32) fill(float{});
    else fill(double{});
    count_[i] = static_cast<std::uint32_t>(end - begin_[i]);
}

bool ConnectionGraph::make_room(std::span<const std::uint32_t> wanted) {
    std::uint64_t total = slots_.size();
    bool any = false;
    std::vector<std::uint64_t> old_begin = begin_;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == 0) continue;
        any = true;
        begin_[i] = total;
        capacity_[i] = wanted[i] + wanted[i] / 4 + 4;  // a quarter to spare: growing is rare
        total += capacity_[i];
    }
    if (!any) return false;
    slots_.resize(total);
    for (const ColumnTable::Column& column : slots_.all()) {
        const std::size_t row = column.info.row_bytes();
        auto& bytes = const_cast<ColumnTable::Column&>(column).bytes;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (wanted[i] == 0 || count_[i] == 0) continue;
            std::memcpy(&bytes[begin_[i] * row], &bytes[old_begin[i] * row], count_[i] * row);
        }
    }
    return true;
}

namespace {

/// body(i) for every row, on all threads if there are any.
template <class Body>
void for_each_row(const Parallel* parallel, std::size_t count, const Body& body) {
    if (parallel) parallel->for_each(count, body);
    else
        for (std::size_t i = 0; i < count; ++i) body(i);
}

}  // namespace

void ConnectionGraph::relayout(std::span<const std::uint32_t> source, std::span<const std::uint32_t> capacity,
                               const Parallel* parallel) {
    ColumnTable slots;
    for (const ColumnTable::Column& column : slots_.all()) slots.add(column.info);
    std::vector<std::uint64_t> begin(source.size());
    std::vector<std::uint32_t> count(source.size());
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < source.size(); ++i) {
        begin[i] = total;
        count[i] = count_[source[i]];
        total += capacity[i];
    }
    slots.resize(total);
    for (std::size_t c = 0; c < slots.all().size(); ++c) {
        const ColumnTable::Column& from = slots_.all()[c];
        auto& to = const_cast<ColumnTable::Column&>(slots.all()[c]);
        const std::size_t row = from.info.row_bytes();
        for_each_row(parallel, source.size(), [&](std::size_t i) {
            if (count[i] == 0) return;
            std::memcpy(&to.bytes[begin[i] * row], &from.bytes[begin_[source[i]] * row], count[i] * row);
        });
    }
    slots_ = std::move(slots);
    begin_ = std::move(begin);
    count_ = std::move(count);
    capacity_.assign(capacity.begin(), capacity.end());
}

void ConnectionGraph::resize(std::size_t particles) {
    begin_.resize(particles, slots_.size());
    count_.resize(particles, 0);
    capacity_.resize(particles, 0);
}

void ConnectionGraph::permute(std::span<const std::uint32_t> source, const Parallel* parallel) {
    std::vector<std::uint32_t> new_index(source.size());
    std::vector<std::uint32_t> capacity(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        new_index[source[i]] = static_cast<std::uint32_t>(i);
        capacity[i] = capacity_[source[i]];
    }
    relayout(source, capacity, parallel);
    if (ends_ == Ends::bodies) return;
    const auto other = slots_.get<std::uint32_t>("other");
    for_each_row(parallel, begin_.size(), [&](std::size_t i) {
        for (std::size_t slot = begin_[i]; slot < begin_[i] + count_[i]; ++slot) other[slot] = new_index[other[slot]];
    });
}

void ConnectionGraph::remap_ends(std::span<const std::uint32_t> new_index) {
    const auto other = slots_.get<std::uint32_t>("other");
    for (std::size_t i = 0; i < begin_.size(); ++i) {
        std::size_t to = begin_[i];
        for (std::size_t slot = begin_[i]; slot < begin_[i] + count_[i]; ++slot) {
            const std::uint32_t target = new_index[other[slot]];
            if (target == Particles::gone) continue;
            if (to != slot) slots_.copy_row(slot, to);
            other[to++] = target;
        }
        count_[i] = static_cast<std::uint32_t>(to - begin_[i]);
    }
}

void ConnectionGraph::remap_bodies(std::span<const std::uint32_t> new_index) {
    assert(ends_ == Ends::bodies);
    remap_ends(new_index);
}

void ConnectionGraph::remap(std::span<const std::uint32_t> new_index, std::size_t remaining) {
    if (ends_ == Ends::particles) remap_ends(new_index);
    // Rows of removed particles are dropped; their room is lost until the next new layout.
    for (std::size_t i = 0; i < new_index.size(); ++i) {
        if (new_index[i] == Particles::gone) continue;
        begin_[new_index[i]] = begin_[i];
        count_[new_index[i]] = count_[i];
        capacity_[new_index[i]] = capacity_[i];
    }
    begin_.resize(remaining);
    count_.resize(remaining);
    capacity_.resize(remaining);
}

void ConnectionGraph::hash(Hash& hash, std::span<const std::uint32_t> id_order) const {
    const auto name = other_ids();
    std::vector<std::size_t> row;
    for (const std::uint32_t i : id_order) {
        row.resize(count_[i]);
        std::iota(row.begin(), row.end(), begin_[i]);
        // Connections to bodies have an order of their own, which does not depend on where particles are stored.
        if (ends_ == Ends::particles) {
            std::sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) { return name[a] < name[b]; });
        }
        hash.add(count_[i]);
        for (const std::size_t slot : row) {
            hash.add(name[slot]);
            for (const ColumnTable::Column& column : slots_.all()) {
                if (column.info.name == "other" || column.info.name == "other_id") continue;
                const std::size_t bytes = column.info.row_bytes();
                hash.add(&column.bytes[slot * bytes], bytes);
            }
        }
    }
}

ConnectionGraph::Packed ConnectionGraph::packed() const {
    ConnectionGraph copy = *this;
    std::vector<std::uint32_t> same(particle_count());
    std::iota(same.begin(), same.end(), 0u);
    copy.relayout(same, count_);
    return {copy.count_, std::move(copy.slots_)};
}

void ConnectionGraph::restore(Packed packed, std::span<const std::uint32_t> ids) {
    slots_ = std::move(packed.slots);
    const auto other = slots_.get<std::uint32_t>("other");
    std::transform(other.begin(), other.end(), slots_.get<std::uint32_t>("other_id").begin(),
                   [&](std::uint32_t index) { return ids[index]; });
    count_ = packed.counts;
    capacity_ = packed.counts;
    begin_.resize(count_.size());
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < count_.size(); ++i) {
        begin_[i] = total;
        total += count_[i];
    }
}

}  // namespace treacle
