import { createServer, type Server, type Socket } from 'node:net';
import { type Engine, runCommand } from '../commands/run-command.ts';
import { createMessageReader, frameReply, type Message } from './messages.ts';

export type Address = { path: string } | { host: string; port: number };

/** Serves MongoDB's wire protocol: OP_MSG, and OP_QUERY for the handshake. The commands of a connection run one after the other. */
export async function serve(engine: Engine, address: Address) {
  const connections = new Set<ReturnType<typeof connect>>();
  const server = createServer({ noDelay: true }, (socket) => {
    const connection = connect(engine, socket);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  await listening(server, address);
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : undefined,
    /** Refuses new connections, waits for running commands, then closes all connections. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([...connections].map((connection) => connection.end()));
      await closed;
    },
  };
}

function listening(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** With this number of commands waiting, no more are read from a connection. */
const MAX_WAITING = 16;

function connect(engine: Engine, socket: Socket) {
  const read = createMessageReader();
  const isGone = () => socket.destroyed;
  let work = Promise.resolve();
  let waiting = 0;
  let ids = 1;

  const answer = async (message: Message) => {
    const body = await runCommand(engine, message.command, isGone);
    if (!message.silent && !socket.destroyed) {
      const flushed = socket.write(frameReply(message, ids++, body));
      if (!flushed) await drained(socket);
    }
    if (--waiting < MAX_WAITING) socket.resume();
  };

  socket.on('error', () => socket.destroy());
  socket.on('data', (packet) => {
    try {
      for (const message of read(packet)) {
        if (++waiting >= MAX_WAITING) socket.pause();
        work = work.then(() => answer(message));
      }
    } catch {
      // Not MongoDB's protocol: the next message cannot be found.
      socket.destroy();
    }
  });

  return {
    async end(): Promise<void> {
      await work;
      socket.destroy();
    },
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
  });
}
