import type { PageTrace } from 'api/contract/reports';
import type { Composition } from '../remotes/composition.ts';

/** Maximum number of spans in a report. */
const MAX_SPANS = 60;

/** The trace of a page load: times of document, scripts and first contentful paint. undefined unless the response names a span. */
export function readPageTrace(
  { performance, document }: Pick<Window, 'performance' | 'document'>,
  { host, remotes }: Composition,
): PageTrace | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const parent = navigation?.serverTiming?.find(({ name }) => name === 'traceparent')?.description;
  if (!navigation || !parent) return undefined;
  const releases = Object.entries({ host, ...remotes }).flatMap(([remote, { version, entry }]) => {
    if (!entry) return [];
    const { href } = new URL(entry, document.baseURI);
    return { remote, version, entry: href, folder: new URL('.', href).href };
  });
  const files = performance.getEntriesByType('resource').flatMap(({ name, startTime, duration }) => {
    const found = /\.m?js$/.test(name) && releases.find(({ folder }) => name.startsWith(folder));
    if (!found) return [];
    const { remote, version, entry } = found;
    return {
      remote,
      version,
      what: name === entry ? 'entry' : 'chunk',
      at: startTime,
      ms: duration,
    } as const;
  });
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const ofPage = { remote: 'host', version: host.version, at: 0 };
  return {
    parent,
    age: performance.now(),
    spans: [
      { ...ofPage, what: 'page' as const, ms: navigation.responseEnd },
      ...(paint ? [{ ...ofPage, what: 'render' as const, ms: paint.startTime }] : []),
      ...files,
    ].slice(0, MAX_SPANS),
  };
}
