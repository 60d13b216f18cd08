import type { ReleaseDetails, ReleaseSummary } from '../../../contract/releases.ts';
import { CommandFailure } from '../../failure.ts';
import { bytes } from '../../format-bytes.ts';
import type { CommandContext } from '../context/command-context.ts';
import { ago, clock, formatNextPage, shortCommit } from '../context/format.ts';
import { alignColumns, formatTable, indent, type PageOptions } from './table.ts';

interface Page {
  releases: ReleaseSummary[];
  nextCursor: string | null;
}

/** `compose releases [name | name@version]`: newest first, or one with its files. */
export async function releases(context: CommandContext, given: string | undefined, options: PageOptions) {
  if (given?.includes('@')) return showRelease(context, given);
  const { client, say, now } = context;
  const page = await client.get<Page>('/ops/releases', { name: given, ...options });
  if (given && page.releases.length === 0 && !options.cursor)
    throw new CommandFailure(1, say('noReleases', { name: given }), { error: 'not_found' });
  context.answer(page, () => {
    if (page.releases.length === 0) return say('noReleases', { name: given ?? '' });
    const table = formatTable(
      page.releases,
      [
        [
          '',
          ({ isLive, yanked }) =>
            [...(isLive ? [say('live')] : []), ...(yanked ? [say('isYanked')] : [])].join(', '),
        ],
        ['headRelease', ({ id }) => id],
        ['headPublished', ({ publishedAt }) => ago(publishedAt, now, say)],
        ['headBy', ({ publishedBy }) => publishedBy],
        ['headContract', ({ contract }) => contract],
        ['headFiles', ({ fileCount }) => String(fileCount), true],
        ['headSize', ({ size }) => bytes(size), true],
        ['headCommit', ({ commit }) => shortCommit(commit)],
      ],
      say,
    );
    const more = formatNextPage(['releases', ...(given ? [given] : [])], options, page.nextCursor, say);
    return table + more;
  });
}

async function showRelease(context: CommandContext, id: string): Promise<void> {
  const { client, say, now } = context;
  const release = await client.get<ReleaseDetails>(`/ops/releases/${encodeURIComponent(id)}`);
  context.answer(release, () => {
    const facts = [
      [say('headPublished'), `${clock(release.publishedAt, now)} (${ago(release.publishedAt, now, say)})`],
      [say('headBy'), release.publishedBy],
      [say('headAddress'), release.base],
      [say('headContract'), release.contract],
      [say('headCommit'), release.commit ?? '—'],
      [say('headExposes'), Object.keys(release.exposes).join(' ') || '—'],
      [say('headShared'), formatRecord(release.shared)],
    ];
    const files = release.files.map(({ path, size, integrity }) => [
      path,
      bytes(size),
      integrity.slice(0, 20),
    ]);
    const state = release.isLive ? ` · ${say('live')}` : '';
    return [
      `${release.id}${state}`,
      indent(alignColumns(facts)),
      say('filesOf', { count: release.fileCount, size: bytes(release.size) }),
      indent(alignColumns(files, [1])),
    ].join('\n\n');
  });
}

function formatRecord(record: Record<string, string>): string {
  return (
    Object.entries(record)
      .map(([name, range]) => `${name} ${range}`)
      .join(', ') || '—'
  );
}
