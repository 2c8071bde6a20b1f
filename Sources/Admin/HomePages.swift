// The start page: redirects to the queue.
import HTTP

enum HomePages {
}
