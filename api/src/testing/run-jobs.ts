import mongoose from 'mongoose';
import { setClockWrong } from './wrong-clock.ts';

/**
 * A process that runs jobs, with a wrong clock. Prints the key of each job when it begins. A job of the kind 'hang'
 * never ends.
 */
const [uri = '', name = '', wrongByMs = '0'] = process.argv.slice(2);

setClockWrong(Number(wrongByMs));

const { createJobModel } = await import('../store/jobs/jobs.ts');
const { createJobs } = await import('../store/jobs/jobs.ts');
const { createChanges } = await import('../store/changes.ts');
const { createDatabaseClock } = await import('../store/database-clock.ts');
const { createThisProcess } = await import('../store/process-lease.ts');

const connection = await mongoose.createConnection(uri, { autoIndex: false, autoCreate: false }).asPromise();
const clock = await createDatabaseClock(connection);
const self = createThisProcess(clock.now);
const log = { warn: () => undefined, error: () => undefined };
const changes = createChanges({ connection, isAlone: false, log });
const jobs = createJobs({ model: createJobModel(connection), self, clock, isAlone: false, changes, log });
const say = async ({ key }: { key: string }) => {
  process.stdout.write(`${key}\n`);
};
jobs.define({ kind: 'say', run: say });
jobs.define({ kind: `say to ${name}`, run: say });
jobs.define({ kind: 'hang', run: (job) => say(job).then(() => new Promise<void>(() => undefined)) });
changes.start();
jobs.start();
setInterval(() => undefined, 60_000);
process.stdout.write('started\n');
