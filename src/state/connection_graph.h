#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "state/column_table.h"

namespace treacle {

/// Springs and connections between particles, for all methods that have them. Every connection stands in
/// the rows of both its ends with the same values, so a particle reads and writes its own row only; an update
/// must be symmetric in i and j to the bit.
///
/// The other ends may also be solids: then a connection stands in one row, "other" is the number of the body and
/// "anchor" a place in its frame.
///
/// A connection knows its other end twice: by its index, which changes when particles are re-sorted or removed, and by
/// its id, which stays. The index is for steps, the id for everything that outlives one.
///
/// Rows have some free room, so that most changes happen in place. Slots of row i are
/// [begin(i), begin(i) + count(i)); value columns ("rest_length" and those of a method) are indexed by slot.
class ConnectionGraph {
public:
    enum class Ends { particles, bodies };

    explicit ConnectionGraph(ScalarType real, Ends ends = Ends::particles);

    /// One more value per connection.
    template <class Real>
    void add_value(std::string name, std::string unit) {
        slots_.add<Real>(std::move(name), std::move(unit));
    }

    std::size_t particle_count() const { return begin_.size(); }
    std::size_t begin(std::size_t i) const { return begin_[i]; }
    std::size_t count(std::size_t i) const { return count_[i]; }

    /// The other ends row by row, like the rows of Neighbors; looked up once for many rows.
    class OtherEnds {
    public:
        explicit OtherEnds(const ConnectionGraph& graph) : graph_(graph), others_(graph.others()) {}
        std::size_t size() const { return graph_.particle_count(); }
        std::span<const std::uint32_t> row(std::size_t i) const {
            return others_.subspan(graph_.begin(i), graph_.count(i));
        }

    private:
        const ConnectionGraph& graph_;
        std::span<const std::uint32_t> others_;
    };
    OtherEnds rows() const { return OtherEnds(*this); }

    /// Connections, each counted once.
    std::size_t connection_count() const;

    /// Storage indices of the other ends, by slot.
    std::span<const std::uint32_t> others() const { return slots_.get<std::uint32_t>("other"); }
    /// Their ids, by slot.
    std::span<const std::uint32_t> other_ids() const { return slots_.get<std::uint32_t>("other_id"); }
    template <class Real>
    std::span<Real> values(std::string_view name) {
        return slots_.get<Real>(name);
    }
    template <class Real>
    std::span<const Real> values(std::string_view name) const {
        return slots_.get<Real>(name);
    }

    /// The new content of one row: survivors of the old row in their order, then new connections.
    class RowDraft {
    public:
        void keep(std::size_t slot) { kept_.push_back(slot); }
        /// Values other than the rest length start at zero.
        void add(std::uint32_t other, double rest_length, Vec3d anchor = {}) {
            added_.push_back({other, rest_length, anchor});
        }

    private:
        friend class ConnectionGraph;
        struct Added {
            std::uint32_t other;
            double rest_length;
            Vec3d anchor;  ///< of connections to bodies
        };
        std::vector<std::size_t> kept_;
        std::vector<Added> added_;
        void clear() {
            kept_.clear();
            added_.clear();
        }
        std::size_t size() const { return kept_.size() + added_.size(); }
    };

    /// Rewrites the rows whose flag is set: draft(i, row) lists the new content of row i. It must decide the same for
    /// (i, j) and (j, i), and the same again when called twice (it is called again for rows that have outgrown their
    /// room). `ids` are those of all particles or bodies that a connection may lead to, by index.
    template <class Draft>
    void rewrite(const Parallel& parallel, std::span<const std::uint32_t> ids, std::span<const std::uint8_t> rows,
                 const Draft& draft) {
        std::vector<std::uint32_t> wanted(particle_count(), 0);
        parallel.for_blocks(particle_count(), Parallel::small_block,
                            [&](std::size_t first, std::size_t last, std::size_t) {
                                RowDraft row;
                                for (std::size_t i = first; i < last; ++i) {
                                    if (!rows[i]) continue;
                                    row.clear();
                                    draft(i, row);
                                    if (row.size() <= capacity_[i]) write_row(i, row, ids);
                                    else wanted[i] = static_cast<std::uint32_t>(row.size());
                                }
                            });
        if (!make_room(wanted)) return;
        parallel.for_blocks(particle_count(), Parallel::small_block,
                            [&](std::size_t first, std::size_t last, std::size_t) {
                                RowDraft row;
                                for (std::size_t i = first; i < last; ++i) {
                                    if (wanted[i] == 0) continue;
                                    row.clear();
                                    draft(i, row);
                                    write_row(i, row, ids);
                                }
                            });
    }

    /// Rewrites all rows.
    template <class Draft>
    void rewrite(const Parallel& parallel, std::span<const std::uint32_t> ids, const Draft& draft) {
        rewrite(parallel, ids, std::vector<std::uint8_t>(particle_count(), 1), draft);
    }

    /// Rows for particles that were appended.
    void resize(std::size_t particles);

    /// Follows a re-sorting of the particles: new particle i is old particle source[i].
    void permute(std::span<const std::uint32_t> source, const Parallel* parallel = nullptr);

    /// Follows Particles::remove: connections to removed particles vanish.
    void remap(std::span<const std::uint32_t> new_index, std::size_t remaining);

    /// Follows a change of the list of bodies: connections to body b lead to new_index[b], or vanish if it is gone.
    void remap_bodies(std::span<const std::uint32_t> new_index);

    /// Hash over all connections, rows and ends in the order of the particles' ids.
    void hash(Hash& hash, std::span<const std::uint32_t> id_order) const;

    /// Packed rows for a checkpoint: counts per particle, then all slots row by row.
    struct Packed {
        std::vector<std::uint32_t> counts;
        ColumnTable slots;
    };
    Packed packed() const;
    /// `ids` as for rewrite(): the indices of a file count, its ids do not.
    void restore(Packed packed, std::span<const std::uint32_t> ids);

private:
    void write_row(std::size_t i, const RowDraft& row, std::span<const std::uint32_t> ids);
    /// Moves rows that want more room to the end of the storage. The holes they leave are closed at the next new
    /// layout, that is when the particles are re-sorted.
    bool make_room(std::span<const std::uint32_t> wanted);
    /// New layout with rows copied from old ones: new row i takes old row source[i].
    void relayout(std::span<const std::uint32_t> source, std::span<const std::uint32_t> capacity,
                  const Parallel* parallel = nullptr);
    /// Leads connections to new indices of their other ends; those to `gone` ends vanish.
    void remap_ends(std::span<const std::uint32_t> new_index);

    ScalarType real_;
    Ends ends_;
    ColumnTable slots_;  ///< "other", "other_id", "rest_length", …
    std::vector<std::uint64_t> begin_;
    std::vector<std::uint32_t> count_;
    std::vector<std::uint32_t> capacity_;
};

}  // namespace treacle
