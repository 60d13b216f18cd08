import { createHash } from 'node:crypto';
import type { Language } from '../contract/language.ts';
import { localeOf } from '../i18n/texts-of.ts';

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
.form { display: grid; gap: 8px; margin: 24px 0 0; }
.form button { justify-self: start; margin-top: 8px; }
input, textarea { box-sizing: border-box; width: 100%; padding: 8px 12px; font: inherit; color: inherit; background: var(--desk); border: 1px solid var(--ink-2); border-radius: 8px; }
article { margin-top: 24px; overflow-wrap: anywhere; }
article h2 { white-space: pre-wrap; }
article > * + *, article li + li { margin-top: 8px; }
article pre, article table { overflow-x: auto; display: block; }
li { color: var(--ink-2); overflow-wrap: anywhere; }
a, button {
  font: inherit; border: 0; cursor: pointer;
  display: inline-block; margin-top: 24px; padding: 9px 18px; border-radius: 8px; background: var(--fill); color: var(--on-fill);
  font-weight: 600; text-decoration: none;
}
button.plain { background: none; color: var(--ink); box-shadow: inset 0 0 0 1px var(--line); }
a:focus-visible, button:focus-visible { outline: 2px solid var(--fill); outline-offset: 3px; }
`;

/** Policy of these pages, which work without scripts. */
export const PLAIN_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** A page without scripts. `main` is HTML, `title` text. */
export function plainPage(language: Language, title: string, main: string): string {
  return `<!doctype html>
<html lang="${localeOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
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

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
