/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* The process of --exec by fork, since posix_spawn can neither tie it to this process's life nor
 * close every other descriptor. */
#include "exec_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "clock.h"
#include "memory.h"

extern char **environ;

/* How long a killed process may take: one that a driver holds in the kernel is left behind. */
#define KILL_MS 10000
/* How long a process that closed its standard input gets to end, or to answer. */
#define CLOSED_MS 2000
/* What a pipe holds, where the system grants it. */
#define PIPE_BYTES (1 << 20)

struct exec_process {
    pid_t leader;
    int to;
    int from;
    struct iovec left[EXEC_PIECES]; /* to send */
    int left_count;
    bool refuses; /* it has closed its standard input */
};

/* Variables that the process gets; those that end in '*' stand for all that begin so. */
static const char *const variables[] = {
    "PATH",     "HOME",        "USER",      "LOGNAME",  "LANG",
    "LC_*",     "TZ",          "TMPDIR",    "XDG_*",    "LD_LIBRARY_PATH",
    "DYLD_*",   "VIRTUAL_ENV", "CONDA_*",   "PYTHON*",  "NODE_*",
    "CUDA_*",   "NVIDIA_*",    "NCCL_*",    "HIP_*",    "HSA_*",
    "ROC*",     "AMD_*",       "GPU_*",     "SYCL_*",   "ONEAPI_*",
    "ONEDNN_*", "ZE_*",        "OCL_*",     "VK_*",     "VKD3D_*",
    "MESA_*",   "LIBGL_*",     "GALLIUM_*", "LP_*",     "DISPLAY",
    "OMP_*",    "GOMP_*",      "KMP_*",     "MKL_*",    "OPENBLAS_*",
    "TBB_*",    "TORCH*",      "PYTORCH_*", "TRITON_*", "JAX_*",
    "XLA_*",    "TF_*",        "NUMBA_*",   "ORT_*",    "CUMSUM_*"};

static bool is_given(const char *variable) {
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const size_t length = strlen(variables[i]);
        const bool prefix = variables[i][length - 1] == '*';
        if (prefix ? strncmp(variable, variables[i], length - 1) == 0
                   : strncmp(variable, variables[i], length) == 0 && variable[length] == '=')
            return true;
    }
    return false;
}

static char **make_environment(void) {
    size_t count = 0;
    while (environ[count])
        count++;
    char **list = tool_calloc(count + 1, sizeof *list);
    count = 0;
    for (char **variable = environ; *variable; variable++)
        if (is_given(*variable))
            list[count++] = *variable;
    return list;
}

static void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0)
        return;
#endif
    const long most = sysconf(_SC_OPEN_MAX);
    for (int i = first; i < (most > 0 && most < 65536 ? most : 65536); i++)
        close(i);
}

/* In the child, where only calls that are safe in a signal handler may be made. */
_Noreturn static void become(const char *command, char **environment, pid_t parent, int in, int out,
                             int shared) {
    const int first = EXEC_SHARED + 1; /* out of the way of the descriptors that it gets */
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    in = fcntl(in, F_DUPFD, first);
    out = fcntl(out, F_DUPFD, first);
    shared = shared < 0 ? -1 : fcntl(shared, F_DUPFD, first);
    if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        (shared >= 0 && dup2(shared, EXEC_SHARED) < 0))
        _exit(126);
    close_from(shared < 0 ? EXEC_SHARED : first);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() == parent)
        execle("/bin/sh", "sh", "-c", command, (char *)NULL, environment);
    _exit(126);
}

static bool make_pipe(int ends[2]) {
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

/* The ends that stay here neither block nor, where that is possible, are small. */
static bool make_ready(int to, int from) {
#ifdef F_SETPIPE_SZ
    (void)fcntl(to, F_SETPIPE_SZ, PIPE_BYTES);
    (void)fcntl(from, F_SETPIPE_SZ, PIPE_BYTES);
#endif
    return fcntl(to, F_SETFL, O_NONBLOCK) == 0 && fcntl(from, F_SETFL, O_NONBLOCK) == 0;
}

static void close_end(int end) {
    if (end >= 0)
        close(end);
}

/*
 * The command behind "exec ", so that it takes the shell's place and its end is seen here: its
 * signal, and the end of its output. A command of several commands, one that begins with a word
 * that no program has, or with a variable, stays as it is.
 */
static char *exec_line(const char *command) {
    static const char *const words[] = {"exec", "eval", "command", "."};
    const size_t first = strcspn(command, " ");
    bool plain = !strpbrk(command, ";&|\n`(){}") && !memchr(command, '=', first);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        plain = plain && (strlen(words[i]) != first || strncmp(command, words[i], first) != 0);
    const size_t room = strlen(command) + sizeof "exec ";
    char *line = tool_malloc(room);
    snprintf(line, room, "%s%s", plain ? "exec " : "", command);
    return line;
}

static pid_t start(const char *command, const int to[2], const int from[2], int shared) {
    char **environment = make_environment();
    char *line = exec_line(command);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process == 0)
        become(line, environment, parent, to[0], from[1], shared);
    const int failure = errno;
    if (process > 0)
        setpgid(process, process); /* whichever of both is first */
    free(environment);
    free(line);
    errno = failure;
    return process;
}

tool_status exec_process_start(exec_process **process, const char *command, int shared,
                               tool_error *error) {
    int to[2] = {-1, -1};
    int from[2] = {-1, -1};
    const bool piped = make_pipe(to) && make_pipe(from) && make_ready(to[1], from[0]);
    const pid_t leader = piped ? start(command, to, from, shared) : -1;
    const int failure = errno;
    close_end(to[0]);
    close_end(from[1]);
    if (leader < 0) {
        close_end(to[1]);
        close_end(from[0]);
        return tool_fail(error, TOOL_ENVIRONMENT, "cannot start '%.200s': %s", command,
                         strerror(failure));
    }
    *process = tool_calloc(1, sizeof **process);
    **process = (exec_process){.leader = leader, .to = to[1], .from = from[0]};
    return TOOL_OK;
}

bool exec_process_has_spoken(const exec_process *process) {
    struct pollfd end = {.fd = process->from, .events = POLLIN};
    return poll(&end, 1, 0) > 0;
}

void exec_process_send(exec_process *process, const exec_bytes *pieces, size_t count) {
    process->left_count = 0;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].size)
            process->left[process->left_count++] =
                (struct iovec){.iov_base = (void *)pieces[i].bytes, .iov_len = pieces[i].size};
}

/* Drops what has been sent from the front of the list. */
static void drop(exec_process *p, size_t sent) {
    int done = 0;
    while (done < p->left_count && sent >= p->left[done].iov_len)
        sent -= p->left[done++].iov_len;
    p->left_count -= done;
    memmove(p->left, p->left + done, (size_t)p->left_count * sizeof p->left[0]);
    if (p->left_count && sent) {
        p->left[0].iov_base = (char *)p->left[0].iov_base + sent;
        p->left[0].iov_len -= sent;
    }
}

static bool may_come_later(int failure) {
    return failure == EINTR || failure == EAGAIN;
}

/* A process that has closed its standard input gets nothing more, and little time to say why. */
static bool send_some(exec_process *p, uint64_t *end) {
    const ssize_t sent = writev(p->to, p->left, p->left_count);
    if (sent > 0)
        drop(p, (size_t)sent);
    if (sent >= 0 || may_come_later(errno))
        return true;
    const uint64_t soon = clock_monotonic() + CLOSED_MS * UINT64_C(1000000);
    p->left_count = 0;
    p->refuses = true;
    *end = *end < soon ? *end : soon;
    return errno == EPIPE;
}

/* Milliseconds until `end`, for poll. */
static int time_left(uint64_t end) {
    const uint64_t now = clock_monotonic();
    return now >= end ? 0 : (int)((end - now) / 1000000 + 1);
}

static exec_event receive_some(exec_process *p, unsigned char *to, size_t room, size_t *got) {
    const ssize_t came = read(p->from, to, room);
    *got += came > 0 ? (size_t)came : 0;
    if (came < 0 && !may_come_later(errno))
        return EXEC_BROKEN;
    return came == 0 ? EXEC_CLOSED : EXEC_CAME;
}

exec_event exec_process_receive(exec_process *p, void *to, size_t least, size_t most, size_t *got,
                                uint64_t end) {
    unsigned char *bytes = to;
    exec_event event = EXEC_CAME;
    *got = 0;
    if (p->left_count && !send_some(p, &end))
        return EXEC_BROKEN;
    while (event == EXEC_CAME && (*got < least || (p->left_count && (*got < most || !most)))) {
        struct pollfd ends[2] = {{.fd = *got < most ? p->from : -1, .events = POLLIN},
                                 {.fd = p->left_count ? p->to : -1, .events = POLLOUT}};
        const int count = poll(ends, 2, time_left(end));
        if (count == 0)
            return p->refuses ? EXEC_REFUSED : EXEC_LATE;
        if (count < 0 && errno != EINTR)
            return EXEC_BROKEN;
        if (count > 0 && ends[1].revents && !send_some(p, &end))
            return EXEC_BROKEN;
        if (count > 0 && ends[0].revents)
            event = receive_some(p, bytes + *got, most - *got, got);
    }
    return event;
}

/* Is it over? It stays a zombie, so that its group keeps its number. */
static bool has_ended(pid_t process) {
    siginfo_t about = {0};
    return waitid(P_PID, (id_t)process, &about, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           about.si_pid == process;
}

static bool wait_for(pid_t process, uint32_t milliseconds) {
    bool ended = has_ended(process);
    for (uint32_t waited = 0; !ended && waited < milliseconds; waited++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ended = has_ended(process);
    }
    return ended;
}

static void describe(pid_t process, bool by_itself, char *how, size_t room) {
    int status = 0;
    if (waitpid(process, &status, WNOHANG) != process || !by_itself)
        snprintf(how, room, "only when it was killed");
    else if (WIFSIGNALED(status))
        snprintf(how, room, "by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(how, room, "with exit status %d", WEXITSTATUS(status));
}

void exec_process_end(exec_process *process, uint32_t milliseconds, char *how, size_t room) {
    char unused[160];
    close(process->to); /* a program that reads its requests ends then */
    const bool by_itself = wait_for(process->leader, milliseconds);
    kill(-process->leader, SIGKILL);
    wait_for(process->leader, KILL_MS);
    describe(process->leader, by_itself, how ? how : unused, how ? room : sizeof unused);
    close(process->from);
    free(process);
}
