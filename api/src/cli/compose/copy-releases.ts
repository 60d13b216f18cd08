import type { ChosenRelease } from '../../contract/compositions.ts';
import type { ReleaseDetails, ReleaseFileInfo, ReleaseUpload } from '../../contract/releases.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { integrityOf } from '../../releases/data/canonical-hash.ts';
import { describeRelease, ReleaseDescription } from '../../releases/data/release-description.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { createReleaseClient, type ReleaseClient } from '../release/release-client.ts';
import { registerRelease, sendRelease } from '../release/send-release.ts';
import type { CommandContext } from './command-context.ts';
import { fromSource } from './promotion-source.ts';

/** Releases that the target does not have. Throws if it has one of them with other content. */
export async function findMissing(
  releases: readonly ChosenRelease[],
  { client, say }: CommandContext,
): Promise<ChosenRelease[]> {
  const found = await Promise.all(
    releases.map(({ release }) =>
      client
        .get<ReleaseDetails>(`/ops/releases/${encodeURIComponent(release)}`)
        .catch((cause) =>
          cause instanceof Refused && cause.status === 404 ? undefined : Promise.reject(cause),
        ),
    ),
  );
  const other = releases.find(({ digest }, index) => found[index] && found[index].digest !== digest);
  if (other)
    throw new CommandFailure(1, say('otherContent', { release: other.release, server: client.server }), {
      error: 'version_taken',
    });
  return releases.filter((_, index) => !found[index]);
}

/**
 * Copies releases from another server, unchanged: nothing is built, and each file and description is compared with
 * its hash. Publishing does not change what is live. Running it again after an interruption continues.
 */
export async function copyReleases(
  releases: readonly ChosenRelease[],
  from: { server: string; token: string },
  context: CommandContext,
): Promise<void> {
  const { client, token, language, progress, say } = context;
  const sayRelease = createSay('cli-release', language);
  const connect = (desk: { server: string; token: string }) =>
    createReleaseClient({
      ...desk,
      language,
      say: sayRelease,
      progress,
      signal: new AbortController().signal,
    });
  const source = connect(from);
  const target = connect({ server: client.server, token });
  for (const chosen of releases) {
    progress(say('copying', { release: chosen.release, server: from.server }));
    const { address, ...upload } = await fromSource(from.server, context, () =>
      source.upload(chosen.release),
    );
    assertSame(upload, chosen, from.server, context);
    const sending = { client: target, say: sayRelease, progress };
    if (address !== undefined) await registerRelease(upload, address, sending);
    else
      await sendRelease(
        {
          upload,
          read: (path) =>
            fromSource(from.server, context, () =>
              readVerified(source, chosen, fileIn(upload, path), context),
            ),
        },
        sending,
      );
  }
}

/** Throws unless the description has the digest of the composition's release. */
function assertSame(
  upload: Omit<ReleaseUpload, 'address'>,
  { release, digest }: ChosenRelease,
  server: string,
  { say }: CommandContext,
): void {
  const parsed = ReleaseDescription.safeParse(upload);
  const isSame =
    parsed.success &&
    `${parsed.data.name}@${parsed.data.version}` === release &&
    describeRelease(parsed.data).digest === digest;
  if (!isSame)
    throw new CommandFailure(1, say('notTheRelease', { release, server }), { error: 'check_failed' });
}

function fileIn({ files }: Pick<ReleaseUpload, 'files'>, path: string) {
  const file = files.find((listed) => listed.path === path);
  if (!file) throw new Error(`the target asked for ${path}, which is not among the files of the release`);
  return file;
}

async function readVerified(
  source: ReleaseClient,
  { release }: ChosenRelease,
  file: Pick<ReleaseFileInfo, 'path' | 'size' | 'integrity'>,
  { say }: CommandContext,
): Promise<Buffer> {
  const bytes = await source.read(release, file);
  if (bytes.length === file.size && integrityOf(bytes) === file.integrity) return bytes;
  throw new CommandFailure(1, say('notTheFile', { release, path: file.path }), { error: 'check_failed' });
}
