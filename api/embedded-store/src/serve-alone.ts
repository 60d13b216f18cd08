import { parseArgs } from 'node:util';
import { openEmbeddedStore } from './open-embedded-store.ts';

/**
 * `npm run store -- --port 27018 [--data-dir DIR]` serves the store alone on the loopback interface, for reading and writing in any
 * database, so that MongoDB shells and tools can inspect the data.
 */
const { port, dataDir } = readArguments();

try {
  const store = await openEmbeddedStore({ dataDir, port });
  console.log(`The store in ${dataDir} listens at ${store.uri}`);
  // Under npm one Ctrl-C arrives twice, from the terminal and from npm: the second one must not interrupt closing.
  let isClosing = false;
  const stop = async () => {
    if (isClosing) return;
    isClosing = true;
    await store.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

function readArguments(): { port: number; dataDir: string } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '27018' },
        'data-dir': { type: 'string', default: process.env.DATA_DIR ?? 'data' },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new TypeError(`--port must be 0–65535, got "${values.port}"`);
    return { port, dataDir: values['data-dir'] };
  } catch (cause) {
    console.error((cause as Error).message);
    console.error('Usage: npm run store -- --port 27018 --data-dir data');
    process.exit(2);
  }
}
