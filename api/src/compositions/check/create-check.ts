import semver from 'semver';
import type { CheckFinding, CheckReport, CheckRule, Language } from '../../contract/contract.ts';
import type { Composition } from '../composition.ts';
import type { CompositionStore } from '../composition-store.ts';
import type { ReleaseHealth } from '../health/release-health.ts';
import type { Release } from '../release.ts';
import { type CheckFilesDeps, createCheckFiles } from './check-files.ts';
import { contract } from './contract.ts';
import { exposes, unshown } from './exposes.ts';
import { integrity } from './integrity.ts';
import { names } from './names.ts';
import { reachable } from './reachable.ts';
import { type Candidate, type CheckContext, type CheckedFile, inLanguage, type Rule } from './rule.ts';
import { shared } from './shared.ts';

export interface CheckDeps extends CheckFilesDeps {
  store: Pick<CompositionStore, 'releases'>;
  /** Releases that pages have seen failing are recommended to nobody. */
  health?: ReleaseHealth;
}

/**
 * Holds a composition, kept or not, against every rule, and tells what keeps it from going live. Of what is `live` already the files
 * are not looked at, wherever they stand: what has happened to them must not keep anybody from mending something else. Of the live
 * composition itself all are.
 */
export type Check = (
  composition: Composition,
  live: Composition | null,
  language: Language,
) => Promise<CheckReport>;

/** What the API itself can tell of a composition; 'mount' needs a browser, and is looked at by the command line. */
const rules: Partial<Record<CheckRule, Rule>> = { reachable, integrity, exposes, shared, contract, names };

/** A check takes no longer, in ms: what was not looked at by then counts as not reachable. */
const wholeMs = 15_000;
/** Releases of one name among which another one is looked for. */
const mostCandidates = 200;
/** Where what is no version comes in their order. */
const lowest = new semver.SemVer('0.0.0-0');

export function createCheck(deps: CheckDeps): Check {
  const { store, health } = deps;
  const checkFiles = createCheckFiles(deps);

  /** Read once for all rules of one check. */
  function contextOf(releases: readonly Release[], signal: AbortSignal): CheckContext {
    let files: Promise<CheckedFile[]> | undefined;
    const candidates = new Map<string, Promise<Candidate[]>>();
    return {
      files() {
        files ??= checkFiles(releases, signal);
        return files;
      },
      releasesOf(name) {
        const reading = candidates.get(name) ?? readCandidates(name, store, health);
        candidates.set(name, reading);
        return reading;
      },
    };
  }

  return async (composition, live, language) => {
    const start = performance.now();
    const chosen = [composition.host, ...composition.remotes];
    const found = await readReleases(
      chosen.map(({ release }) => release),
      store,
    );
    const report = (findings: CheckFinding[], looked: CheckReport['looked']): CheckReport => ({
      composition: composition._id,
      isFine: findings.length === 0,
      findings,
      looked,
      tookMs: Math.round(performance.now() - start),
    });

    const gone = chosen.filter(({ release }) => !found.has(release));
    if (gone.length > 0)
      return report(
        gone.map((one) => goneFinding(one, language)),
        {},
      );

    const releases = chosen.map(({ release }) => found.get(release)!);
    const [host, ...remotes] = releases;
    const coming = releasesToRead(releases, live);
    const context = contextOf(coming, AbortSignal.timeout(wholeMs));
    const warnings = unshown(host!, remotes, new Set(coming)).map((one) =>
      inLanguage('exposes', one, language),
    );
    const looked: CheckReport['looked'] = {};
    const findings = await Promise.all(
      Object.entries(rules).map(async ([rule, look]) => {
        const ruled = await look({ host: host!, remotes }, context);
        looked[rule as CheckRule] = ruled.looked;
        return ruled.findings.map((finding) => inLanguage(rule as CheckRule, finding, language));
      }),
    );
    return { ...report(findings.flat(), looked), ...(warnings.length > 0 ? { warnings } : {}) };
  };
}

/** Those that are not live yet; all when every one is live. */
function releasesToRead(releases: readonly Release[], live: Composition | null): readonly Release[] {
  const standing = new Set(live ? [live.host, ...live.remotes].map(({ release }) => release) : []);
  const coming = releases.filter(({ _id }) => !standing.has(_id));
  return coming.length > 0 ? coming : releases;
}

async function readReleases(ids: string[], { releases }: CheckDeps['store']): Promise<Map<string, Release>> {
  const found = await releases.find({ _id: { $in: ids }, publishedAt: { $ne: null } }).lean<Release[]>();
  return new Map(found.map((release) => [release._id, release]));
}

/** The newest published first by version; of more than fit, those published last. */
async function readCandidates(
  name: string,
  { releases }: CheckDeps['store'],
  health: ReleaseHealth | undefined,
): Promise<Candidate[]> {
  const verdicts = await health?.verdicts();
  const found = await releases
    .find(
      { name, publishedAt: { $ne: null } },
      { name: 1, version: 1, contract: 1, shared: 1, exposes: 1, routes: 1 },
    )
    .sort({ publishedAt: -1, _id: -1 })
    .limit(mostCandidates)
    .lean<Candidate[]>();
  const versionOf = ({ version }: Candidate) => semver.parse(version) ?? lowest;
  const fit = found.filter(({ _id }) => verdicts?.get(_id) !== 'failing');
  return fit.sort((a, b) => semver.rcompare(versionOf(a), versionOf(b)) || (a._id < b._id ? 1 : -1));
}

function goneFinding({ name, release }: { name: string; release: string }, language: Language): CheckFinding {
  return inLanguage(
    'reachable',
    {
      remote: name,
      release,
      message: [`${release} 已不存在或尚未发布`, `${release} is there no more, or is not published`],
      advice: [
        `请再次发布它，或选用 ${name} 的其他版本`,
        `Publish it again, or choose another release of ${name}`,
      ],
    },
    language,
  );
}
