import { parseArgs } from 'node:util';
import { setClockWrong } from './wrong-clock.ts';

/** A server configured by the environment on a free port, with a wrong clock. Prints its log, and at last its address. */
const { values } = parseArgs({ options: { 'wrong-by-ms': { type: 'string', default: '0' } } });
setClockWrong(Number(values['wrong-by-ms']));

const { readConfig } = await import('../config/config.ts');
const { createLog } = await import('../http/create-log.ts');
const { startServer } = await import('../server.ts');

const log = createLog('warn', { write: (line) => process.stdout.write(line) });
const { url } = await startServer({ config: { ...readConfig(process.env), port: 0 }, log });
process.stdout.write(`${JSON.stringify({ url })}\n`);
