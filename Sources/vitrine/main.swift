// The program: reads the command line, runs the command, ends with its exit code.
import Glibc
import Platform

exit(Program.run(signals: Service.begin()).rawValue)
