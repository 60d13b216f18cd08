import semver from 'semver';
import type { CheckFinding, CheckReport, CheckRule, CompositionChoice } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { partsOf, releasesOf } from '../data/changes-between.ts';
import {
  type Chosen,
  type Composition,
  type CompositionStore,
  publishedReleases,
} from '../data/composition-store.ts';
import { type Release, type Route, routesOf } from '../data/release.ts';
import type { ReleaseHealth } from '../health/release-health.ts';
import type { CheckFiles } from './check-files.ts';
import { contract, shared } from './compatibility.ts';
import {
  type Candidate,
  type CheckContext,
  type CheckedFile,
  type Finding,
  findingOn,
  inLanguage,
  type Rule,
} from './rule.ts';
import { exposes, fileRule, names, routes, unshown } from './rules.ts';

interface CheckDeps {
  checkFiles: CheckFiles;
  store: CompositionStore;
  /** Releases that failed in pages are never recommended. */
  health?: ReleaseHealth;
}

/**
 * Checks a composition, stored or not, against every rule and returns the findings that prevent it from going live. Files
 * of releases that are already `live` are not checked, wherever they are hosted: damage to them must not
 * block the repair of something else. If the live composition itself is checked, all files are.
 */
export type Check = (
  composition: Composition,
  live: Composition | null,
  language: Language,
  options?: CheckOptions,
) => Promise<CheckReport>;

export type CheckOptions = Pick<CompositionChoice, 'allowWeakerGuard'>;

/** Rules that the API can check itself; 'mount' needs a browser and is checked by the command line. */
const rules: Partial<Record<CheckRule, Rule>> = {
  reachable: fileRule('reachable'),
  integrity: fileRule('integrity'),
  exposes,
  shared,
  contract,
  names,
  routes,
};

/** Time limit for a whole check, in ms: files that were not checked by then count as not reachable. */
const checkTimeoutMs = 15_000;
/** Maximum number of releases of one name that are considered as alternatives. */
const maxCandidates = 200;
const candidateFields = 'name version contract shared standard facades';
/** Sort position of an invalid version. */
const lowest = new semver.SemVer('0.0.0-0');

export function createCheck(deps: CheckDeps): Check {
  const { store, health, checkFiles } = deps;

  /** Creates the context that all rules of one check share. */
  function contextOf(
    releases: readonly Release[],
    { live, options, signal }: { live: Composition | null; options: CheckOptions; signal: AbortSignal },
  ): CheckContext {
    let files: Promise<CheckedFile[]> | undefined;
    const candidates = new Map<string, Promise<Candidate[]>>();
    return {
      guardedBy: () => (options.allowWeakerGuard || !live ? [] : readRoutes(live, store)),
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

  return async (composition, live, language, options = {}) => {
    const start = performance.now();
    const chosen = partsOf(composition);
    const found = await publishedReleases(store, releasesOf(composition));
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
        gone.map((one) => inLanguage('reachable', goneFinding(one), language)),
        {},
      );

    const releases = chosen.map(({ release }) => found.get(release)!);
    const [host, ...remotes] = releases;
    const coming = releasesToRead(releases, live);
    const context = contextOf(coming, { live, options, signal: AbortSignal.timeout(checkTimeoutMs) });
    const yanked = releases.filter((release) => release.yanked);
    const stillLive = yanked.filter(({ _id }) => releasesOf(live).includes(_id));
    const withdrawn = yanked.filter((release) => !stillLive.includes(release));
    const warnings = [
      ...unshown(host!, remotes, new Set(coming)).map((one) => inLanguage('exposes', one, language)),
      ...stillLive.map((one) => inLanguage('yanked', yankedFinding(one), language)),
    ];
    const looked: CheckReport['looked'] = {};
    const findings = await Promise.all(
      Object.entries(rules).map(async ([rule, look]) => {
        const ruled = await look({ host: host!, remotes }, context);
        looked[rule as CheckRule] = ruled.looked;
        return ruled.findings.map((finding) => inLanguage(rule as CheckRule, finding, language));
      }),
    );
    findings.push(withdrawn.map((one) => inLanguage('yanked', yankedFinding(one), language)));
    return { ...report(findings.flat(), looked), ...(warnings.length > 0 ? { warnings } : {}) };
  };
}

/** Releases that are not live yet, or all releases if every one is live. */
function releasesToRead(releases: readonly Release[], live: Composition | null): readonly Release[] {
  const coming = releases.filter(({ _id }) => !releasesOf(live).includes(_id));
  return coming.length > 0 ? coming : releases;
}

async function readRoutes(live: Composition, { releases }: CheckDeps['store']): Promise<Route[]> {
  const ids = releasesOf(live);
  const found = await releases.find({ _id: { $in: ids } }, { name: 1, routes: 1 }).lean();
  const [host, ...remotes] = ids.map((id) => found.find(({ _id }) => _id === id));
  return host
    ? routesOf(
        host,
        remotes.filter((remote) => remote !== undefined),
      )
    : [];
}

/** Releases sorted by version, newest first; if there are too many, only those published last. */
async function readCandidates(
  name: string,
  { releases }: CheckDeps['store'],
  health: ReleaseHealth | undefined,
): Promise<Candidate[]> {
  const verdicts = await health?.verdicts();
  const found = await releases
    .find({ name, publishedAt: { $ne: null } }, candidateFields)
    .sort({ publishedAt: -1, _id: -1 })
    .limit(maxCandidates)
    .lean<Candidate[]>();
  const versionOf = ({ version }: Candidate) => semver.parse(version) ?? lowest;
  const fit = found.filter(({ _id }) => verdicts?.get(_id) !== 'failing');
  return fit.sort((a, b) => semver.rcompare(versionOf(a), versionOf(b)) || (a._id < b._id ? 1 : -1));
}

function yankedFinding(release: Release): Finding {
  const { author, reason } = release.yanked!;
  return findingOn(release, 'yanked', 'unyank', { author, reason });
}

const goneFinding = ({ name, release }: Chosen): Finding =>
  findingOn({ name, _id: release }, 'release_gone', 'publish_again');
