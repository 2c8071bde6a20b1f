// Runs the program and exits with its exit code.
import Glibc
import Platform

exit(Program.run(signals: Service.begin()).rawValue)
