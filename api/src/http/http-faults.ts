import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../config/config.ts';
import { languages } from '../contract/language.ts';
import { ApiError, errorBody, invalidRequest, notFound } from '../errors/errors.ts';
import { basePathOf } from './base-path.ts';
import { alwaysSent } from './security-headers.ts';

/** Sends the error body to what never becomes a request: a malformed line, large headers, CONNECT. */
export function answerHttpFaults(server: Server, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  const headers = headersOf(publicUrl);
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    if (cause.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (cause.code === 'HPE_HEADER_OVERFLOW') refuse(socket, new ApiError('headers_too_large'), headers);
    else refuse(socket, invalidRequest('http', 'invalid_http'), headers);
  });
  server.on('connect', (_request, socket) => refuse(socket, notFound('page'), headers));
  server.on('checkExpectation', (_request, response) => {
    refuseRequest(response, invalidRequest('Expect', 'invalid_http'), headers);
  });
}

/**
 * Passes only valid paths to `handle`; absolute URLs, as sent by proxies, are reduced to their path. Koa
 * parses the URL of every request and throws outside the pipeline if it is invalid.
 */
export function onlyPaths(
  handle: RequestListener,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): RequestListener {
  const headers = headersOf(publicUrl);
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    if (path === null) {
      refuseRequest(response, invalidRequest('url', 'invalid_url'), headers);
      return;
    }
    request.url = path;
    return handle(request, response);
  };
}

/** Answers /healthz, and refuses everything else with 503 until the server is ready. */
export function whileStarting({ publicUrl }: Pick<Config, 'publicUrl'>): RequestListener {
  const headers = headersOf(publicUrl);
  const health = `${basePathOf({ publicUrl })}/healthz`;
  return (request, response) => {
    if (request.url === '/healthz' || request.url === health)
      response.writeHead(200, headers).end(JSON.stringify({ status: 'ok' }));
    else refuseRequest(response, new ApiError('unavailable'), headers);
  };
}

function pathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function headersOf(publicUrl: string | null): Record<string, string> {
  return {
    ...alwaysSent(publicUrl?.startsWith('https:') === true),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    Connection: 'close',
  };
}

type Headers = Readonly<Record<string, string>>;

function refuseRequest(response: ServerResponse, failure: ApiError, headers: Headers): void {
  const body = JSON.stringify(errorBody(failure, languages[0], randomUUID()));
  response.writeHead(failure.status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  431: 'Request Header Fields Too Large',
};

function refuse(socket: Duplex, failure: ApiError, headers: Headers): void {
  const body = JSON.stringify(errorBody(failure, languages[0], randomUUID()));
  const head = [
    `HTTP/1.1 ${failure.status} ${reasons[failure.status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
