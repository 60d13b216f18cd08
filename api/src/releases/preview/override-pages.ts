import { languages } from '../../contract/language.ts';
import { escapeHtml, plainPage } from '../../http/plain-page.ts';
import type { TextKey } from '../../i18n/texts-of.ts';
import { partsOf } from '../data/changes-between.ts';
import type { ResolvedComposition } from '../live/live-composition.ts';
import { inEach, sectionsOf, wordsOf } from '../pages/in-each-language.ts';
import type { Offer } from './create-overrides.ts';

const LEAVE = '/chatbot/override/leave';

export const OVERRIDE_OVER_PAGE = pageOf('over', `<a href="/chatbot/">${inEach('open_desk')}</a>`);

/** Page of GET /chatbot/override/leave, which changes nothing by itself. */
export const LEAVE_PAGE = pageOf('leave', formTo(LEAVE, 'leave'));

/** Asks for consent before code that is not live runs in the visitor's session. `action` is where the consent is sent. */
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
  const versions = (one: ResolvedComposition) =>
    new Map(partsOf(one).map(({ live: { name, version } }) => [name, version]));
  const [before, after] = [versions(live), versions(composition)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} ${before.get(name) ?? '–'} → ${after.get(name) ?? '–'}`);
}

/** A page whose title and texts are `key`, `<key>_title` and `<key>_text`. */
function pageOf(key: 'over' | 'leave' | 'open', main: string): string {
  return plainPage(languages[0], wordsOf(key), `${sectionsOf(key)}\n${main}`);
}
