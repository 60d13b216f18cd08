import { Marked } from 'marked';
import { z } from 'zod';
import { logSignIn } from '../accounts/account-replies.ts';
import type { NamedSignIn } from '../accounts/accounts.ts';
import type { LogSecurity } from '../accounts/audit/log-security.ts';
import { limitRequests } from '../accounts/limit-requests.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import type { SignInLimits } from '../accounts/sign-in-limits.ts';
import { markDoubts, shownCitations } from '../answers/extract/mark-doubts.ts';
import { CodeAnswer, Credentials } from '../contract/accounts.ts';
import { ChatQuestion } from '../contract/chat.ts';
import type { Language } from '../contract/language.ts';
import type { DeskRecord } from '../contract/records.ts';
import type { PageDesk } from '../contract/settings.ts';
import { errorBody } from '../errors/errors.ts';
import { bodyOf, form, queryOf } from '../http/body.ts';
import { clientDisconnected } from '../http/client-disconnect.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { toApiError } from '../http/error-body.ts';
import { pageLanguage } from '../http/page-language.ts';
import { escapeHtml, PLAIN_POLICY, plainPage } from '../http/plain-page.ts';
import { needOwnForm } from '../http/refuse-requests.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { citedPlace } from '../records/cited-place.ts';
import { neutralMarkdown } from '../records/conversation-export/neutral-markdown.ts';
import type { OpenRecords } from '../records/open-records.ts';
import type { OpenChat } from './open-chat.ts';

const textOf = textsOf('pages');

/** How long a page waits for its answer, in ms: proxies end a silent response after a minute. */
const ANSWER_MS = 50_000;
/** The newest questions of a conversation that a page shows. */
const SHOWN = 20;

/** Renders an answer as HTML: a link as its words and its address, a picture as its description. */
const reader = new Marked({
  renderer: {
    link: ({ href, text }) => escapeHtml(text === href ? href : `${text} (${href})`),
    image: ({ text }) => escapeHtml(text),
    html: ({ text }) => escapeHtml(text),
  },
});

/** The fields of a form; others are ignored. */
const QuestionForm = z.object({
  text: ChatQuestion.shape.text,
  conversationId: z.string().max(100).exactOptional(),
});
const AnswerPage = z.object({ c: z.string().max(100) });

/**
 * Handles the forms of screens when scripts have not arrived or are disabled: each responds with a page that is readable without scripts. Forms
 * are accepted only from pages of this host.
 */
export function createFormRoutes(
  { asking }: OpenChat,
  { conversations }: OpenRecords,
  { accounts, setup, identity, limits }: OpenAccounts,
  deps: { limit: SignInLimits; logSecurity: LogSecurity; desk(): PageDesk | undefined },
): DeskRoutes {
  const { limit, logSecurity, desk } = deps;
  const router = createRoutes('/chatbot');

  /** Sets the language, and responds to failures with a page that has the form again. */
  const asPage =
    (formAgain: (language: Language) => string): DeskMiddleware =>
    async (ctx, next) => {
      ctx.state.language = pageLanguage(ctx, desk()?.language);
      ctx.set('Content-Security-Policy', PLAIN_POLICY);
      ctx.set('Cache-Control', 'private, no-store');
      try {
        await next();
      } catch (cause) {
        const failure = toApiError(cause);
        if (failure.status >= 500) throw cause;
        const { language, requestId } = ctx.state;
        sendPage(ctx, errorBody(failure, language, requestId).msg, formAgain(language));
        ctx.status = failure.status;
      }
    };

  const sendPage = (ctx: DeskContext, title: string, more: string) => {
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = plainPage(ctx.state.language, title, `<h1>${escapeHtml(title)}</h1>\n${more}`);
  };

  router.post(
    '/ask',
    asPage(questionForm),
    needOwnForm,
    identity.identifyForm,
    form(QuestionForm),
    limitRequests(limits.chat),
    async (ctx) => {
      const { owner, language } = ctx.state;
      const asked = await asking.ask(owner, language, bodyOf(ctx, QuestionForm));
      const waiting = AbortSignal.any([clientDisconnected(ctx), AbortSignal.timeout(ANSWER_MS)]);
      for await (const { kind } of asked.follow(Number.MAX_SAFE_INTEGER, waiting)) if (kind === 'end') break;
      // Reloading the page with the answer must not ask again.
      ctx.redirect(`/chatbot/ask?c=${asked.conversationId}`);
      ctx.status = 303;
    },
  );

  router.get('/ask', asPage(questionForm), identity.identifyForm, async (ctx) => {
    const { owner, language } = ctx.state;
    const { c: conversationId } = queryOf(ctx, AnswerPage);
    const { records } = await conversations.records(owner, conversationId, { limit: SHOWN });
    const title = desk()?.[language]?.name || textOf('unpublished')(language);
    const address = `/chatbot/index?c=${conversationId}`;
    const shown = [...records].reverse().map((record) => exchange(record, language));
    const link = `<a href="${address}">${textOf('form_open')(language)}</a>`;
    sendPage(ctx, title, [...shown, questionForm(language, conversationId), link].join('\n'));
  });

  for (const which of ['signIn', 'signUp'] as const)
    router.post(
      which === 'signIn' ? '/login' : '/register',
      asPage((language) => credentialsForm(language, which)),
      needOwnForm,
      form(Credentials),
      limit.byName,
      async (ctx) => {
        const credentials = bodyOf(ctx, Credentials);
        const asked = { ...credentials, ...identity.visitOf(ctx) };
        const isSignIn = which === 'signIn';
        const result = await (isSignIn
          ? accounts.signIn(asked)
          : accounts.signUp(asked, { mayBeFirst: setup.isTrial(ctx) }));
        if (isSignIn || 'token' in result) logSignIn(logSecurity, ctx, result);
        answerSignIn(ctx, { ...result, username: credentials.username.trim() }, which);
      },
    );

  router.post(
    '/login/code',
    asPage((language) => credentialsForm(language, 'signIn')),
    needOwnForm,
    form(CodeAnswer),
    limit.byCode,
    async (ctx) => {
      const { challenge, code } = bodyOf(ctx, CodeAnswer);
      const result = await accounts.signInByCode(challenge, code, identity.visitOf(ctx));
      logSignIn(logSecurity, ctx, result);
      answerSignIn(ctx, result, 'signIn');
    },
  );

  function answerSignIn(ctx: DeskContext, result: NamedSignIn, which: 'signIn' | 'signUp'): void {
    const { language } = ctx.state;
    if ('refusal' in result) {
      const { refusal, challenge } = result;
      const formAgain = challenge ? codeForm(language, challenge) : credentialsForm(language, which);
      sendPage(ctx, textsOf('accounts')(refusal)(language), formAgain);
      ctx.status = refusal === 'code_needed' ? 200 : 422;
      return;
    }
    const { token, username } = result;
    identity.forgetGuest(ctx);
    identity.keepSession(ctx, token, username);
    const link = `<a href="/chatbot/index">${textOf('open_desk')(language)}</a>`;
    sendPage(ctx, textOf('signed_in_as', { username })(language), `${questionForm(language)}\n${link}`);
  }

  return router;
}

function exchange(record: DeskRecord, language: Language): string {
  const { question, answer, doubts, status } = record;
  const said =
    status === 'answering'
      ? textOf('form_waiting')(language)
      : markDoubts(answer, doubts, textsOf('conversation')('noSupport')(language)) ||
        (status === 'failed' ? textOf('form_failed')(language) : '');
  const sources = shownCitations(record).map(({ n, quote, ...of }) => {
    const source = [of.title, citedPlace(of)?.(language)].filter(Boolean).join(' · ');
    return `<li value="${n}">${escapeHtml(source)}: ${escapeHtml(quote)}</li>`;
  });
  const list =
    sources.length > 0 ? `<h3>${textOf('form_sources')(language)}</h3><ol>${sources.join('')}</ol>` : '';
  return `<article><h2>${escapeHtml(question)}</h2>${reader.parse(neutralMarkdown(said), { async: false })}</article>${list}`;
}

function questionForm(language: Language, conversationId?: string): string {
  const hidden = conversationId
    ? `<input type="hidden" name="conversationId" value="${escapeHtml(conversationId)}">`
    : '';
  return `<form class="form" method="post" action="/chatbot/ask">${hidden}<label for="text">${textOf('form_question')(language)}</label>
<textarea id="text" name="text" rows="3" required maxlength="8000"></textarea>
<button>${textOf('form_send')(language)}</button></form>`;
}

function codeForm(language: Language, challenge: string): string {
  return `<form class="form" method="post" action="/chatbot/login/code"><input type="hidden" name="challenge" value="${escapeHtml(challenge)}">
<label for="code">${textOf('code')(language)}</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" required>
<button>${textOf('sign_in')(language)}</button></form>`;
}

function credentialsForm(language: Language, which: 'signIn' | 'signUp'): string {
  const [action, label, complete] =
    which === 'signIn'
      ? (['login', 'sign_in', 'current-password'] as const)
      : (['register', 'register', 'new-password'] as const);
  return `<form class="form" method="post" action="/chatbot/${action}">
<label for="username">${textOf('username')(language)}</label><input id="username" name="username" autocomplete="username" autocapitalize="none" required>
<label for="password">${textOf('password')(language)}</label><input id="password" name="password" type="password" autocomplete="${complete}" required>
<button>${textOf(label)(language)}</button></form>`;
}
