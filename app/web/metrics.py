"""What is counted. No label ever holds a code, a token or a name."""

from prometheus_client import Counter, Gauge

REQUESTS = Counter("facedown_requests_total", "HTTP requests", ["method", "route", "status"])
REFUSALS = Counter("facedown_refusals_total", "What was refused, and why", ["reason"])
SOCKETS = Gauge("facedown_sockets", "Open sockets", ["face"])
SENT = Counter("facedown_socket_sent_bytes_total", "Bytes sent over sockets, before compression", ["face"])
RECEIVED = Counter("facedown_socket_messages_total", "Messages that came in over sockets")
