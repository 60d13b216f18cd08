import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy that can be cut in the middle of a response, which browsers cannot emulate. */
export interface TcpProxy {
  url: string;
  /** 127.0.0.1 with its port. */
  host: string;
  /** Closes all connections and rejects new ones until `restore`. */
  cut(): void;
  /** Connections stay and new ones are accepted, but nothing passes in either direction until `restore`. */
  freeze(): void;
  /** Everything that arrives from now on passes this much later, in ms. */
  slow(ms: number): void;
  restore(): void;
  /** Sends new connections to another server. */
  lead(to: string): void;
  close(): Promise<void>;
}

export async function startProxy(to: string): Promise<TcpProxy> {
  let port = Number(new URL(to).port);
  const sockets = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let frozen = Promise.resolve();
  let thaw = () => {};

  /** Passes on what `from` sends, in order. */
  const pass = (from: Socket, on: Socket) => {
    let passed = Promise.resolve();
    const next = (act: () => void) => {
      const late = delayMs > 0 ? delay(delayMs) : undefined;
      passed = passed.then(async () => {
        await late;
        await frozen;
        if (!on.destroyed) act();
      });
    };
    from.on('data', (chunk) => next(() => on.write(chunk)));
    from.on('end', () => next(() => on.end()));
    // Errors of cut connections are expected.
    from.on('error', () => on.destroy());
    from.on('close', () => {
      sockets.delete(from);
      next(() => on.destroySoon());
    });
  };

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [near, far]) sockets.add(socket);
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://${host}`,
    host,
    cut,
    freeze() {
      frozen = new Promise((resolve) => {
        thaw = resolve;
      });
    },
    slow(ms) {
      delayMs = ms;
    },
    restore() {
      isCut = false;
      delayMs = 0;
      thaw();
    },
    lead(next) {
      port = Number(new URL(next).port);
    },
    close: () =>
      new Promise((resolve) => {
        thaw();
        cut();
        server.close(() => resolve());
      }),
  };
}
