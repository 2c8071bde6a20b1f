// Empty, since SwiftPM requires a source file; the code is in the header.
#include "CCurl.h"
