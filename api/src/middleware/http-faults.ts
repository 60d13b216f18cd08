import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ApiError, errorBody, invalidRequest, notFound, tooLarge } from '../errors.ts';

/** Answers what never becomes a request (a broken request line, headers that are too large, CONNECT, Expect) with the error body as well. */
export function answerHttpFaults(server: Server): void {
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    if (cause.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (cause.code === 'HPE_HEADER_OVERFLOW') refuse(socket, tooLarge(431));
    else refuse(socket, invalidRequest('http', 'invalid_http'));
  });
  server.on('connect', (_request, socket) => refuse(socket, notFound('page')));
  server.on('checkExpectation', (_request, response) => {
    refuseRequest(response, invalidRequest('Expect', 'invalid_http'));
  });
}

/**
 * Lets only what is a path through to `handle`; an absolute address, as proxies may send it, becomes one. Koa asks the address of
 * every request for its path, and one that cannot be parsed throws there, wherever that is.
 */
export function onlyPaths(handle: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    if (path === null) {
      refuseRequest(response, invalidRequest('url', 'invalid_url'));
      return;
    }
    request.url = path;
    return handle(request, response);
  };
}

function pathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function refuseRequest(response: ServerResponse, failure: ApiError): void {
  const body = JSON.stringify(errorBody(failure, 'zh', randomUUID()));
  response.writeHead(failure.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  431: 'Request Header Fields Too Large',
};

function refuse(socket: Duplex, failure: ApiError): void {
  const body = JSON.stringify(errorBody(failure, 'zh', randomUUID()));
  const head = [
    `HTTP/1.1 ${failure.status} ${reasons[failure.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
