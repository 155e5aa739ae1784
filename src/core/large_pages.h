#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace treacle {

/// Allocator for tables of many megabytes that are read from end to end again and again. The system is asked for pages
/// of 2 MB: with the usual 4 kB, looking up the next page costs a tenth of the time of such a pass.
template <class T>
struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <class Other>
    LargePages(const LargePages<Other>&) {}

    T* allocate(std::size_t count) {
        void* memory = ::operator new(count * sizeof(T), alignment(count));
#ifdef MADV_HUGEPAGE
        if (count * sizeof(T) >= page)
            madvise(memory, count * sizeof(T), MADV_HUGEPAGE);  // a hint: refusal does no harm
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count)); }

    template <class Other>
    bool operator==(const LargePages<Other>&) const {
        return true;
    }

private:
    static constexpr std::size_t page = std::size_t{1} << 21;
    static std::align_val_t alignment(std::size_t count) {
        return std::align_val_t{count * sizeof(T) >= page ? page : std::size_t{64}};
    }
};

}  // namespace treacle
