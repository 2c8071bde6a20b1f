// Imports libseccomp: filters of system calls.
#ifndef VITRINE_CSECCOMP_SHIM_H
#define VITRINE_CSECCOMP_SHIM_H

#include <seccomp.h>

#endif
