/* A disk that fails when it is told to, and that remembers what it was asked.
 *
 * Interposed with LD_PRELOAD before libc. It does nothing until io_shim_arm()
 * is called; from then on it counts the calls that change anything below one
 * folder, fails the n-th of a kind, and writes every one into a log, in their
 * order, beside what left through a socket and what was said on stdout.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { WRITE, FSYNC, OPEN, RENAME, FTRUNCATE, UNLINK, MKDIR, KINDS, SEND, SAY };

/* What the armed process tells the one that watches it; shared memory, so that
 * it outlives a process that dies. */
struct report {
    uint64_t calls[KINDS];
    uint64_t struck;      /* calls that were failed */
    uint64_t kind;        /* of the first one */
    uint64_t acts_after;  /* requests that change something, after the first one */
    char path[512];       /* of the first one */
};

struct record {
    uint32_t kind;
    uint32_t path_bytes;
    uint32_t data_bytes;
    uint32_t flags; /* OPEN: 1 made it, 2 emptied it; RENAME: data is the new path */
    uint64_t offset;
};

#define MOST_HANDLES 4096

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static struct report idle;
static struct report *told = &idle;
static char root[PATH_MAX];
static char paths[MOST_HANDLES][1024];
static int armed, wanted, fault, onward, log_handle = -1;
static char heads[MOST_HANDLES]; /* requests whose body has not left yet */
static uint64_t nth, acts;

/* `kind`: the number of a kind, or -1 for none. `keeps_on`: every later call
 * that needs the disk fails too. An error below 0: the process dies instead,
 * before the call; at SEND, right after the n-th act has left. */
void io_shim_arm(const char *folder, const char *report, const char *log, int kind,
                 uint64_t number, int number_of_error, int keeps_on)
{
    int handle = open(report, O_RDWR | O_CREAT, 0600);
    if (handle >= 0 && ftruncate(handle, sizeof *told) == 0) {
        void *shared = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED,
                            handle, 0);
        if (shared != MAP_FAILED) told = shared;
    }
    close(handle);
    if (*log) log_handle = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    snprintf(root, sizeof root, "%s/", folder);
    wanted = kind;
    nth = number;
    fault = number_of_error;
    onward = keeps_on;
    armed = 1;
}

/* Make a path whole and plain; say whether it is below the folder. */
static int below(const char *path, char *whole)
{
    char long_path[PATH_MAX * 2];
    if (!armed || !path) return 0;
    if (*path == '/') snprintf(long_path, sizeof long_path, "%s", path);
    else {
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here)) return 0;
        snprintf(long_path, sizeof long_path, "%s/%s", here, path);
    }
    size_t end = 0;
    for (const char *at = long_path; *at && end < PATH_MAX - 1;) {
        if (at[0] == '/' && (at[1] == '/' || at[1] == '\0')) at++;
        else if (at[0] == '/' && at[1] == '.' && (at[2] == '/' || at[2] == '\0')) at += 2;
        else whole[end++] = *at++;
    }
    whole[end] = '\0';
    size_t length = strlen(root);
    return strncmp(whole, root, length) == 0 ||
           (end == length - 1 && strncmp(whole, root, end) == 0);
}

static const char *path_of(int handle)
{
    if (!armed || handle < 0 || handle >= MOST_HANDLES || !paths[handle][0]) return NULL;
    return paths[handle];
}

static void put(const void *data, size_t size)
{
    while (size > 0) {
        ssize_t done = syscall(SYS_write, log_handle, data, size);
        if (done <= 0) return;
        data = (const char *)data + done;
        size -= (size_t)done;
    }
}

static void remember(enum kind kind, const char *path, uint64_t offset, uint32_t flags,
                     const void *data, size_t size)
{
    if (log_handle < 0) return;
    struct record head = {kind, (uint32_t)strlen(path), (uint32_t)size, flags, offset};
    put(&head, sizeof head);
    put(path, head.path_bytes);
    put(data, size);
}

/* Say whether this call is to fail, with errno set. Asked with the gate shut.
 * What takes no room does not fail for want of it: it meets another fault where
 * it was chosen, and goes well on a disk that stays full. */
static int fails(enum kind kind, const char *path, int takes_room)
{
    uint64_t number = ++told->calls[kind];
    int is_it = (int)kind == wanted && number == nth;
    int is_later = onward && told->struck && (fault == EIO || takes_room);
    if (!is_it && !is_later) return 0;
    if (told->struck++ == 0) {
        told->kind = kind;
        snprintf(told->path, sizeof told->path, "%s", path);
    }
    if (fault < 0) syscall(SYS_exit_group, 137);
    errno = takes_room || fault != ENOSPC ? fault : EIO;
    return 1;
}

static int opened(int directory, const char *path, int flags, mode_t mode)
{
    char whole[PATH_MAX];
    int is_ours = directory == AT_FDCWD && below(path, whole);
    if (!is_ours) return (int)syscall(SYS_openat, directory, path, flags, mode);
    pthread_mutex_lock(&gate);
    int was_there = syscall(SYS_faccessat, AT_FDCWD, whole, F_OK) == 0;
    int is_change = (flags & O_CREAT && !was_there) || flags & O_TRUNC;
    int handle = -1;
    if (fails(OPEN, whole, is_change)) goto end;
    handle = (int)syscall(SYS_openat, directory, path, flags, mode);
    if (handle >= 0 && handle < MOST_HANDLES) {
        snprintf(paths[handle], sizeof paths[handle], "%s", whole);
        if (is_change) remember(OPEN, whole, 0, was_there ? 2 : 1, "", 0);
    }
end:;
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return handle;
}

#define MODE_OF(flags, mode) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }

int open(const char *path, int flags, ...)
{
    MODE_OF(flags, mode);
    return opened(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags, mode);
    return opened(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
    MODE_OF(flags, mode);
    return opened(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...)
{
    MODE_OF(flags, mode);
    return opened(directory, path, flags, mode);
}

int close(int handle)
{
    if (handle >= 0 && handle < MOST_HANDLES) paths[handle][0] = '\0';
    return (int)syscall(SYS_close, handle);
}

static int is_act(const char *data, size_t size)
{
    return size > 4 && (memcmp(data, "POST", 4) == 0 || memcmp(data, "PUT ", 4) == 0) &&
           memmem(data, size > 200 ? 200 : size, "/projects", 9);
}

/* What leaves through a socket, and what is said, in order with the rest. */
static void overheard(int handle, const void *data, size_t size, enum kind kind)
{
    if (!armed) return;
    pthread_mutex_lock(&gate);
    if (kind == SEND && told->struck && is_act(data, size)) told->acts_after++;
    remember(kind, "", 0, (uint32_t)handle, data, size);
    pthread_mutex_unlock(&gate);
}

/* The head of a request may leave first and its body after it: the process dies,
 * where it is to die at an act, when both have left. */
static void die_after_act(int handle, const char *data, size_t size)
{
    if (!armed || wanted != SEND) return;
    if (handle < 0 || handle >= MOST_HANDLES) return;
    pthread_mutex_lock(&gate);
    const char *end = is_act(data, size) ? memmem(data, size, "\r\n\r\n", 4) : NULL;
    int whole = heads[handle] || (end && end + 4 < data + size);
    heads[handle] = end && !whole;
    if (whole && ++acts == nth) syscall(SYS_exit_group, 137);
    pthread_mutex_unlock(&gate);
}

ssize_t send(int handle, const void *data, size_t size, int flags)
{
    overheard(handle, data, size, SEND);
    ssize_t done = syscall(SYS_sendto, handle, data, size, flags, NULL, 0);
    die_after_act(handle, data, size);
    return done;
}

ssize_t write(int handle, const void *data, size_t size)
{
    const char *path = path_of(handle);
    if (!path) {
        if (handle == STDOUT_FILENO) overheard(handle, data, size, SAY);
        return syscall(SYS_write, handle, data, size);
    }
    pthread_mutex_lock(&gate);
    ssize_t done = -1;
    if (!fails(WRITE, path, 1)) {
        done = syscall(SYS_write, handle, data, size);
        off_t after = (off_t)syscall(SYS_lseek, handle, 0, SEEK_CUR);
        if (done > 0)
            remember(WRITE, path, (uint64_t)(after - done), 0, data, (size_t)done);
    }
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return done;
}

ssize_t pwrite64(int handle, const void *data, size_t size, off64_t offset)
{
    const char *path = path_of(handle);
    if (!path) return syscall(SYS_pwrite64, handle, data, size, offset);
    pthread_mutex_lock(&gate);
    ssize_t done = -1;
    if (!fails(WRITE, path, 1)) {
        done = syscall(SYS_pwrite64, handle, data, size, offset);
        if (done > 0) remember(WRITE, path, (uint64_t)offset, 0, data, (size_t)done);
    }
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return done;
}

ssize_t pwrite(int handle, const void *data, size_t size, off_t offset)
{
    return pwrite64(handle, data, size, offset);
}

static int synced(int handle, long call)
{
    const char *path = path_of(handle);
    if (!path) return (int)syscall(call, handle);
    pthread_mutex_lock(&gate);
    int done = -1;
    if (!fails(FSYNC, path, 1)) {
        done = (int)syscall(call, handle);
        if (done == 0) remember(FSYNC, path, 0, 0, "", 0);
    }
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return done;
}

int fsync(int handle) { return synced(handle, SYS_fsync); }
int fdatasync(int handle) { return synced(handle, SYS_fdatasync); }

int ftruncate64(int handle, off64_t size)
{
    const char *path = path_of(handle);
    if (!path) return (int)syscall(SYS_ftruncate, handle, size);
    pthread_mutex_lock(&gate);
    int done = -1;
    if (!fails(FTRUNCATE, path, 0)) {
        done = (int)syscall(SYS_ftruncate, handle, size);
        if (done == 0) remember(FTRUNCATE, path, (uint64_t)size, 0, "", 0);
    }
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return done;
}

int ftruncate(int handle, off_t size) { return ftruncate64(handle, size); }

int rename(const char *old, const char *new)
{
    char from[PATH_MAX], to[PATH_MAX];
    if (!below(old, from) || !below(new, to))
        return (int)syscall(SYS_renameat, AT_FDCWD, old, AT_FDCWD, new);
    pthread_mutex_lock(&gate);
    int done = -1;
    if (!fails(RENAME, to, 1)) {
        done = (int)syscall(SYS_renameat, AT_FDCWD, old, AT_FDCWD, new);
        if (done == 0) remember(RENAME, from, 0, 0, to, strlen(to));
    }
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return done;
}

int unlink(const char *path)
{
    char whole[PATH_MAX];
    if (!below(path, whole)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&gate);
    int done = -1;
    if (!fails(UNLINK, whole, 0)) {
        done = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        if (done == 0) remember(UNLINK, whole, 0, 0, "", 0);
    }
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return done;
}

int mkdir(const char *path, mode_t mode)
{
    char whole[PATH_MAX];
    if (!below(path, whole)) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    pthread_mutex_lock(&gate);
    int done = -1;
    if (!fails(MKDIR, whole, 1)) {
        done = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
        if (done == 0) remember(MKDIR, whole, 0, 0, "", 0);
    }
    int why = errno;
    pthread_mutex_unlock(&gate);
    errno = why;
    return done;
}
