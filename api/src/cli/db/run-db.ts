import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { CommandFailure } from '../failure.ts';
import { bytes as formatBytes } from '../format-bytes.ts';
import { createProgram, languageNames, languageOf, runProgram } from '../program.ts';
import type { RunDeps } from '../run-deps.ts';
import { findDamage, openBackup, readManifest, writeBackup } from './backup-folder.ts';
import { nameOf, openDesk, openSnapshot, type StoreConfig } from './places.ts';
import { type Copied, findDifferences, finish, transfer } from './transfer.ts';

/** MongoDB's code when a snapshot is older than the history that it keeps. */
const SNAPSHOT_TOO_OLD = 239;

/** Runs one command and resolves to its exit code: 1 refused or faults found, 2 invalid usage. */
export async function runDb({ argv, env, out, err }: RunDeps): Promise<number> {
  const language = languageOf(argv, env);
  const say = createSay('cli-db', language);
  const tell = (sentence: string) => out(`${sentence}\n`);
  let exitCode = 0;
  const report = async (faults: AsyncIterable<string>, none: string) => {
    for await (const fault of faults) {
      tell(fault);
      exitCode = 1;
    }
    if (exitCode === 0) tell(none);
  };
  const listed = (collections: readonly Copied[], count: number, bytes: number) => {
    for (const one of collections) tell(`${one.sha256}  ${String(one.count).padStart(9)}  ${one.name}`);
    tell(say('files', { count, size: formatBytes(bytes) }));
  };

  const program = createProgram('db', { out, err })
    .usage('<command> [options]')
    .description(say('help'))
    .option('--lang <language>', say('helpLang', { languages: languageNames }));

  program
    .command('backup')
    .description(say('helpBackup'))
    .argument('<folder>')
    .option('--stopped', say('helpStopped'))
    .action(async (folder: string, { stopped = false }: { stopped?: boolean }) => {
      const manifest = await writeBackup(readConfig(env), resolve(folder), { isStopped: stopped, say, tell });
      tell(say('backedUp', { folder, count: manifest.files, size: formatBytes(manifest.bytes) }));
    });

  program
    .command('verify')
    .description(say('helpVerify'))
    .argument('<folder>')
    .action(async (folder: string) => {
      const manifest = await readManifest(resolve(folder), say);
      await report(findDamage(resolve(folder), manifest, say), say('intact'));
    });

  program
    .command('restore')
    .description(say('helpRestore'))
    .argument('<folder>')
    .option('--force', say('helpForce'))
    .option('--unverified', say('helpUnverified'))
    .action(async (given: string, options: { force?: boolean; unverified?: boolean }) => {
      const folder = resolve(given);
      const manifest = await readManifest(folder, say);
      if (!options.unverified) await report(findDamage(folder, manifest, say), say('intact'));
      if (exitCode !== 0) throw new CommandFailure(1, say('notRestored'));
      await using target = await openDesk(readConfig(env));
      const from = `${folder} (${manifest.createdAt})`;
      const source = openBackup(folder);
      const done = await transfer({ source, target, from, isForced: options.force === true, say, tell });
      await finish(target);
      listed(done.collections, done.files, done.bytes);
      tell(say('restored'));
    });

  program
    .command('migrate')
    .description(say('helpMigrate'))
    .requiredOption('--to <store>', say('helpTo'))
    .option('--force', say('helpForce'))
    .action(async ({ to, force = false }: { to: string; force?: boolean }) => {
      const config = readConfig(env);
      const toConfig: StoreConfig = /^mongodb(\+srv)?:/.test(to)
        ? { mongodbUri: to, dataDir: config.dataDir }
        : { mongodbUri: null, dataDir: to };
      if (nameOf(config) === nameOf(toConfig)) throw new CommandFailure(2, say('samePlace'));
      await using source = await openDesk(config);
      await using target = await openDesk(toConfig);
      const done = await transfer({ source, target, from: nameOf(config), isForced: force, say, tell });
      const isFixed = ({ indexes }: { indexes: { expireAfterSeconds?: number }[] }) =>
        indexes.every(({ expireAfterSeconds }) => expireAfterSeconds === undefined);
      const lasting = (await source.documents.collections()).filter(isFixed);
      const changed = await findDifferences(lasting, done.collections, source.documents);
      if (changed.length > 0) throw new CommandFailure(1, say('changed', { names: changed.join(', ') }));
      await finish(target);
      listed(done.collections, done.files, done.bytes);
      tell(say('migrated', { to: nameOf(toConfig) }));
    });

  program
    .command('check')
    .description(say('helpCheck'))
    .action(async () => {
      const config = readConfig(env);
      const { checkDesk } = await import('./check-desk.ts');
      const scratch = join(config.dataDir, 'check.incomplete');
      await rm(scratch, { recursive: true, force: true });
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      try {
        await using desk = await openSnapshot(config, { scratch, isStopped: true, say });
        const faults = async function* () {
          for await (const { kind, text } of checkDesk(desk, config, say))
            if (kind === 'fault') yield text;
            else tell(text);
        };
        await report(faults(), say('checked'));
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    });

  try {
    const refuse = (message: string) => err(`${message}\n`);
    return (await runProgram(program, argv, language, refuse)) ?? exitCode;
  } catch (thrown) {
    const { code, message } = thrown as { code?: unknown; message: string };
    err(`${code === SNAPSHOT_TOO_OLD ? say('snapshotTooOld') : message}\n`);
    return thrown instanceof CommandFailure ? thrown.exitCode : 1;
  }
}
