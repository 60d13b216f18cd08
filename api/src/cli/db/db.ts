/** `npm run db -- …`: backup, restore, migration and check of the data of a desk, in the store that MONGODB_URI or DATA_DIR names. */
import { startProgram } from '../start-program.ts';

await startProgram(async () => (await import('./run-db.ts')).runDb);
