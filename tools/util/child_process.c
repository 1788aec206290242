/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Processes for POSIX by fork, since posix_spawn can neither tie a process to this one's life nor
 * close every other descriptor. */
#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#endif

#include "clock.h"
#include "memory.h"

/* How long a killed process may take: one that a driver holds in the kernel is left behind. */
#define KILL_MS 10000
/* How long a process that closed its standard input gets to end, or to answer. */
#define CLOSED_MS 2000
/* What a pipe holds, where the system grants it. */
#define PIPE_BYTES (1 << 20)

struct child_process {
    pid_t leader;                    /* of its group */
    int to;                          /* its standard input */
    int from;                        /* its standard output */
    struct iovec left[CHILD_PIECES]; /* to send */
    int left_count;
    bool refuses; /* it has closed its standard input */
};

static const char self[] = "/proc/self/exe";

/* The program's path rather than the link: emulators and debuggers answer readlink for the program
 * that they run, but open of the link is theirs. */
static void find_self(char path[PATH_MAX]) {
    const ssize_t length = readlink(self, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    if (access(path, X_OK) != 0) /* replaced while it ran */
        memcpy(path, self, sizeof self);
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

/* All that the child needs between fork and exec. */
typedef struct launch {
    char path[PATH_MAX]; /* of this program, or "/bin/sh" */
    const char *list[34];
    char *line; /* of the shell; NULL without one */
    pid_t parent;
    int to[2];
    int from[2];
} launch;

static void close_end(int *end) {
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* The ends that stay here neither block nor, where that is possible, are small. */
static bool make_ready(int to, int from) {
#ifdef F_SETPIPE_SZ
    (void)fcntl(to, F_SETPIPE_SZ, PIPE_BYTES);
    (void)fcntl(from, F_SETPIPE_SZ, PIPE_BYTES);
#endif
    return fcntl(to, F_SETFL, O_NONBLOCK) == 0 && fcntl(from, F_SETFL, O_NONBLOCK) == 0;
}

static void launch_init(launch *l, const child_program *program) {
    size_t count = 0;
    *l = (launch){.parent = getpid(), .to = {-1, -1}, .from = {-1, -1}};
    if (program->command) {
        l->line = exec_line(program->command);
        l->list[0] = "sh";
        l->list[1] = "-c";
        l->list[2] = l->line;
        memcpy(l->path, "/bin/sh", sizeof "/bin/sh");
        return;
    }
    find_self(l->path);
    l->list[count++] = l->path;
    for (const char *const *word = program->arguments; *word && count + 1 < 34; word++)
        l->list[count++] = *word;
}

static void launch_free(launch *l) {
    free(l->line);
    for (int i = 0; i < 2; i++) {
        close_end(&l->to[i]);
        close_end(&l->from[i]);
    }
}

/* Gives the child its descriptors: 0, 1 and 2. */
static bool take_descriptors(const launch *l) {
    const int first = STDERR_FILENO + 1; /* out of the way of those */
    const int in = fcntl(l->to[0], F_DUPFD, first);
    const int out = fcntl(l->from[1], F_DUPFD, first);
    if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        return false;
    closefrom(first);
    return true;
}

/* In the child, where only calls that are safe in a signal handler may be made. */
_Noreturn static void become(const launch *l) {
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (take_descriptors(l) && getppid() == l->parent)
        execv(l->path, (char *const *)l->list);
    _exit(126);
}

/* -1, with errno, if there is no process. */
static pid_t launch_run(const launch *l) {
    const pid_t process = fork();
    if (process == 0)
        become(l);
    if (process > 0)
        setpgid(process, process); /* whichever of both is first */
    return process;
}

tool_status child_process_open(child_process **child, const child_program *program,
                               tool_error *error) {
    launch l;
    launch_init(&l, program);
    const bool piped = pipe2(l.to, O_CLOEXEC) == 0 && pipe2(l.from, O_CLOEXEC) == 0 &&
                       make_ready(l.to[1], l.from[0]);
    const pid_t leader = piped ? launch_run(&l) : -1;
    const int failure = errno;
    if (leader >= 0) {
        *child = tool_calloc(1, sizeof **child);
        **child = (child_process){.leader = leader, .to = l.to[1], .from = l.from[0]};
        l.to[1] = l.from[0] = -1;
    }
    launch_free(&l);
    if (leader >= 0)
        return TOOL_OK;
    const char *quote = program->command ? "'" : "";
    return tool_fail(error, TOOL_ENVIRONMENT, "cannot start %s%.200s%s: %s", quote,
                     program->command ? program->command : "a process", quote, strerror(failure));
}

bool child_process_has_spoken(const child_process *process) {
    struct pollfd end = {.fd = process->from, .events = POLLIN};
    return poll(&end, 1, 0) > 0;
}

void child_process_send(child_process *child, const child_bytes *pieces, size_t count) {
    child->left_count = 0;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].size)
            child->left[child->left_count++] =
                (struct iovec){.iov_base = (void *)pieces[i].bytes, .iov_len = pieces[i].size};
}

/* Drops what has been sent from the front of the list. */
static void drop(child_process *p, size_t sent) {
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
static bool send_some(child_process *p, uint64_t *end) {
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

static child_event receive_some(child_process *p, unsigned char *to, size_t room, size_t *got) {
    const ssize_t came = read(p->from, to, room);
    *got += came > 0 ? (size_t)came : 0;
    if (came < 0 && !may_come_later(errno))
        return CHILD_BROKEN;
    return came == 0 ? CHILD_CLOSED : CHILD_CAME;
}

child_event child_process_receive(child_process *child, void *to, size_t least, size_t most,
                                  size_t *got, uint64_t end) {
    unsigned char *bytes = to;
    child_event event = CHILD_CAME;
    *got = 0;
    if (child->left_count && !send_some(child, &end))
        return CHILD_BROKEN;
    while (event == CHILD_CAME && (*got < least || (child->left_count && (*got < most || !most)))) {
        struct pollfd ends[2] = {{.fd = *got < most ? child->from : -1, .events = POLLIN},
                                 {.fd = child->left_count ? child->to : -1, .events = POLLOUT}};
        const int count = poll(ends, 2, clock_left(end));
        if (count == 0)
            return child->refuses ? CHILD_REFUSED : CHILD_LATE;
        if (count < 0 && errno != EINTR)
            return CHILD_BROKEN;
        if (count > 0 && ends[1].revents && !send_some(child, &end))
            return CHILD_BROKEN;
        if (count > 0 && ends[0].revents)
            event = receive_some(child, bytes + *got, most - *got, got);
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

/* True for exit status 0. */
static bool name_end(pid_t process, bool by_itself, char *how, size_t room) {
    int status = 0;
    if (waitpid(process, &status, WNOHANG) != process || !by_itself)
        snprintf(how, room, "only when it was killed");
    else if (WIFSIGNALED(status))
        snprintf(how, room, "by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(how, room, "with exit status %d", WEXITSTATUS(status));
    return by_itself && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool child_process_close(child_process *child, uint32_t milliseconds, char *how, size_t room) {
    char unused[160];
    close(child->to); /* a program that reads its requests ends then */
    const bool by_itself = wait_for(child->leader, milliseconds);
    kill(-child->leader, SIGKILL);
    wait_for(child->leader, KILL_MS);
    const bool good =
        name_end(child->leader, by_itself, how ? how : unused, how ? room : sizeof unused);
    close(child->from);
    free(child);
    return good;
}
