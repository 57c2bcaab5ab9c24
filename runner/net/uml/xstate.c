/*
 * For LD_PRELOAD into User-mode Linux on a processor with AMX. The kernel of the machine takes the
 * extended register state of a traced process only whole; User-mode Linux 6.1 keeps just the part
 * that was there before AMX, and panics when setting it is refused. Here its part is completed.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

typedef long ptrace_function(enum __ptrace_request request, ...);

enum { WHOLE_MAX = 64 * 1024 };

static long complete(ptrace_function *next, int pid, void *type, const struct iovec *part)
{
	static char whole[WHOLE_MAX];
	struct iovec iov = { .iov_base = whole, .iov_len = sizeof(whole) };

	if (next(PTRACE_GETREGSET, pid, type, &iov) != 0)
		return -1;
	if (part->iov_len > iov.iov_len) {
		errno = EINVAL;
		return -1;
	}
	memcpy(whole, part->iov_base, part->iov_len);
	return next(PTRACE_SETREGSET, pid, type, &iov);
}

long ptrace(enum __ptrace_request request, ...)
{
	static ptrace_function *next;
	va_list args;
	void *address, *data;
	int pid;

	va_start(args, request);
	pid = va_arg(args, int);
	address = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);
	if (!next)
		next = (ptrace_function *)dlsym(RTLD_NEXT, "ptrace");
	if (request == PTRACE_SETREGSET && (unsigned long)address == NT_X86_XSTATE)
		return complete(next, pid, address, data);
	return next(request, pid, address, data);
}
