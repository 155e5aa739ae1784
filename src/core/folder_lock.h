#pragma once

#include <string>

#include "core/result.h"

namespace treacle {

/// Reserves a folder for one process; others are refused meanwhile. The system holds the lock (flock, on a hidden file
/// in the folder) and releases it when the process ends, even by kill -9; on NFS the server does so for all machines.
/// If the file system has no locks, or the folder cannot be written to, nobody is kept out.
///
/// The lock also knows whether the folder is still the one at its path.
class FolderLock {
public:
    static constexpr const char* file_name = ".treacle.lock";

    /// The folder must exist. If another process has it, the error is wrong_input and names that process.
    static Result<FolderLock> take(const std::string& folder);

    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    ~FolderLock();

    /// Call this after renaming the folder.
    void follow(const std::string& folder) { folder_ = folder; }

    /// An error if somebody else has deleted or renamed the folder, or deleted its files.
    Result<void> check_place() const;

private:
    explicit FolderLock(std::string folder) : folder_(std::move(folder)) {}
    void release();

    std::string folder_;
    int folder_descriptor_ = -1;  ///< held open, so that no new folder can get its number
    int lock_descriptor_ = -1;    ///< -1: the folder cannot be written to
};

}  // namespace treacle
