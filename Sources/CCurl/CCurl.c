// SwiftPM wants a source file; all of it is in the header.
#include "CCurl.h"
