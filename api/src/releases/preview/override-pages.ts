import { createHash } from 'node:crypto';
import { languages } from '../../contract/language.ts';
import { localeOf } from '../../i18n/language-of-locale.ts';
import type { TextKey } from '../../i18n/texts-of.ts';
import type { ResolvedComposition, ResolvedPart } from '../live/live-composition.ts';
import { inEach, sectionsOf, wordsOf } from '../pages/in-each-language.ts';
import { escapeHtml } from '../pages/page-head.ts';
import type { Override } from './override-tokens.ts';

const STYLE = `
:root { color-scheme: light dark; --desk: #e9eef0; --sheet: #fff; --line: #e1e7ea; --ink: #12181b; --ink-2: #434f55; --fill: #0b6080; --on-fill: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --desk: #0b0f11; --sheet: #14191c; --line: #232b2f; --ink: #e6ebed; --ink-2: #b1bcc1; --fill: #25778f; }
}
body {
  margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--desk); color: var(--ink);
  font: 400 0.9375rem / 1.625rem -apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans SC",
    "Microsoft YaHei", system-ui, sans-serif;
}
main { box-sizing: border-box; width: min(34rem, 100% - 32px); padding: 32px; background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; }
h1, h2 { margin: 0 0 8px; font-weight: 600; line-height: 1.4; }
h1 { font-size: 1.375rem; }
h2 { font-size: 1rem; }
p { margin: 0; color: var(--ink-2); }
section + section { margin-top: 24px; padding-top: 24px; border-top: 1px solid var(--line); }
dl { margin: 24px 0 0; display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; }
dt { color: var(--ink-2); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  main { padding: 24px 20px; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd + dt { margin-top: 8px; }
}
form { display: inline-block; margin-right: 12px; }
a, button {
  font: inherit; border: 0; cursor: pointer;
  display: inline-block; margin-top: 24px; padding: 9px 18px; border-radius: 8px; background: var(--fill); color: var(--on-fill);
  font-weight: 600; text-decoration: none;
}
button.plain { background: none; color: var(--ink); box-shadow: inset 0 0 0 1px var(--line); }
a:focus-visible, button:focus-visible { outline: 2px solid var(--fill); outline-offset: 3px; }
`;

/** Policy of these pages, which work without scripts. */
export const OVERRIDE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const LEAVE = '/chatbot/override/leave';

/** Page for an override link that has expired or is invalid. */
export const OVERRIDE_OVER_PAGE = pageOf('over', `<a href="/chatbot/">${inEach('open_desk')}</a>`);

/** Page of GET /chatbot/override/leave, which changes nothing by itself. */
export const LEAVE_PAGE = pageOf('leave', formTo(LEAVE, 'leave'));

/** What a link would show, to the person who opened it. */
export interface Offer {
  /** Name of a preview; null if it has none. */
  name: string | null;
  override: Override;
  composition: ResolvedComposition;
  live: ResolvedComposition;
}

/**
 * Asks before anything that is not live runs in the visitor's session. `action` is the address to which the
 * confirmation is sent.
 */
export function confirmationPage({ name, override, composition, live }: Offer, action: string): string {
  const { aim, by, expiresAt } = override;
  const until = expiresAt.toISOString();
  const rows: [label: TextKey<'pages'>, value: string][] = [
    ...(name === null ? [] : [['preview', escapeHtml(name)] as [TextKey<'pages'>, string]]),
    ['composition', composition.id.slice(0, 12)],
    ['not_live', changesOf(composition, live).map(escapeHtml).join('<br>') || '–'],
    ...(aim.kind === 'remote'
      ? [['loaded_from', escapeHtml(aim.address)] as [TextKey<'pages'>, string]]
      : []),
    ['made_by', by ? escapeHtml(`${by.author} (${by.token})`) : '–'],
    ['until', `<time datetime="${until}">${until.slice(0, 16).replace('T', ' ')} UTC</time>`],
  ];
  return pageOf(
    'open',
    `<dl>${rows.map(([label, value]) => `<dt>${wordsOf(label)}</dt><dd>${value}</dd>`).join('\n')}</dl>
${formTo(escapeHtml(action), 'open_as_me')}
${formTo(LEAVE, 'not_open', 'plain')}`,
  );
}

function formTo(action: string, label: TextKey<'pages'>, look?: string): string {
  const button = look ? `<button class="${look}">` : '<button>';
  return `<form method="post" action="${action}">${button}${inEach(label)}</button></form>`;
}

/** The releases of a composition that are not live, as 'mfe-chat 1.0.0 → 2.0.0'. */
function changesOf(composition: ResolvedComposition, live: ResolvedComposition): string[] {
  const versions = ({ host, remotes }: ResolvedComposition) =>
    new Map([host, ...remotes].map(({ live: { name, version } }: ResolvedPart) => [name, version]));
  const [before, after] = [versions(live), versions(composition)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} ${before.get(name) ?? '–'} → ${after.get(name) ?? '–'}`);
}

/** A page whose title and texts are `key`, `<key>_title` and `<key>_text`. */
function pageOf(key: 'over' | 'leave' | 'open', main: string): string {
  return `<!doctype html>
<html lang="${localeOf(languages[0])}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${wordsOf(key)}</title>
<link rel="icon" type="image/svg+xml" href="/chatbot/favicon.svg">
<style>${STYLE}</style></head>
<body>
<main>
${sectionsOf(key)}
${main}
</main>
</body>
</html>
`;
}
