import { createHash } from 'node:crypto';
import type { ResolvedComposition, ResolvedPart } from '../live-composition.ts';
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

/** Page for an override link that has expired or is invalid. */
export const OVERRIDE_OVER_PAGE = pageOf(
  '预览链接已失效 · Preview link expired',
  `<section>
<h1>预览链接已失效</h1>
<p>它可能已经到期，或指向的版本已不可用。您看到的仍是当前发布的版本；需要预览时，请向运维人员索取新的链接。</p>
</section>
<section lang="en">
<h2>This preview link no longer works</h2>
<p>It may have expired, or what it leads to is not available any more. You still see what is live. For another preview, please ask operations for a new link.</p>
</section>
<a href="/chatbot/">打开咨询台 <span lang="en">· Open the desk</span></a>`,
);

const LEAVE = '/chatbot/override/leave';

/** Page of GET /chatbot/override/leave, which changes nothing by itself. */
export const LEAVE_PAGE = pageOf(
  '退出预览 · Exit preview',
  `<section>
<h1>退出预览？</h1>
<p>之后您看到的是当前发布的版本。</p>
</section>
<section lang="en">
<h2>Exit the preview?</h2>
<p>You then see what is live.</p>
</section>
<form method="post" action="${LEAVE}"><button>退出预览 <span lang="en">· Exit preview</span></button></form>`,
);

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
  const rows: [label: string, value: string][] = [
    ...(name === null ? [] : [['预览 · Preview', escapeHtml(name)] as [string, string]]),
    ['组合 · Composition', composition.id.slice(0, 12)],
    ['与现用版本的差别 · Not live', changesOf(composition, live).map(escapeHtml).join('<br>') || '–'],
    ...(aim.kind === 'remote' ? [['来自 · Loaded from', escapeHtml(aim.address)] as [string, string]] : []),
    ['创建者 · Made by', by ? escapeHtml(`${by.author} (${by.token})`) : '–'],
    ['有效至 · Until', `<time datetime="${until}">${until.slice(0, 16).replace('T', ' ')} UTC</time>`],
  ];
  return pageOf(
    '打开预览？ · Open this preview?',
    `<section>
<h1>打开没有上线的预览？</h1>
<p>这些程序没有上线，也没有经过上线审批。打开后，它们以您的账号在这个浏览器里运行，能读取和更改您能看到的一切，直到您退出预览或预览到期。请只打开您信任的人发来的预览。</p>
</section>
<section lang="en">
<h2>Open a preview that isn’t live?</h2>
<p>This code isn’t live and wasn’t approved. It runs with your account in this browser: it can read and change everything that you can, until you exit the preview or it expires. Only open previews from people you trust.</p>
</section>
<dl>${rows.map(([label, value]) => `<dt>${label}</dt><dd>${value}</dd>`).join('\n')}</dl>
<form method="post" action="${escapeHtml(action)}"><button>用我的账号打开 <span lang="en">· Open with my account</span></button></form>
<form method="post" action="${LEAVE}"><button class="plain">不打开 <span lang="en">· Don’t open</span></button></form>`,
  );
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

function pageOf(title: string, main: string): string {
  return `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/chatbot/favicon.svg">
<style>${STYLE}</style></head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}
