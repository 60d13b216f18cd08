import { hasCookies } from 'host/ui/has-cookies.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChat } from '../state/chat-context.ts';
import { useConversations } from '../state/conversations.ts';
import styles from './side-panel.module.css';

const KEY = 'account-card';
const DAY_MS = 86_400_000;

/**
 * Says where the conversations of a guest or an account are stored. With an account it is shown for one day only, to leave room for the
 * list. Aligned with the composer.
 */
export function AccountCard() {
  const { services, t, chat } = useChat();
  const { guestDays, isPending } = useConversations(chat.conversations);
  const username = useStream(services.session.username$);
  const isNew = useIsNew(username !== '');
  if (username && !isNew) return null;
  if (username)
    return (
      <Card>
        <h2 className="line gap-6px type-ui strong" id="account-card">
          <span className="clip">{username}</span>
          <Link to="/history">{t('seeRecords')}</Link>
        </h2>
        <p className="type-small ink-2">{t('signedInText')}</p>
      </Card>
    );
  return (
    <Card>
      <h2 className="line gap-6px type-ui strong" id="account-card">
        {t('guestTitle')}
      </h2>
      <p className="type-small ink-2">{isPending ? '\u00a0' : guestText()}</p>
      <div className="line gap-s1 mt-s2">
        <Link className="button small" to="/login">
          {t('signIn')}
        </Link>
        <Link className="button small bare" to="/register">
          {t('signUp')}
        </Link>
      </div>
    </Card>
  );

  function guestText(): string {
    if (!hasCookies()) return t('guestNoCookies');
    return guestDays ? t('guestText', { days: t('days', { count: guestDays }) }) : t('guestTextUnknown');
  }
}

function Card({ children }: { children: ReactNode }) {
  return (
    <div className={styles.foot}>
      <section className={styles.account} aria-labelledby="account-card">
        {children}
      </section>
    </div>
  );
}

/** Whether this browser has shown the account for less than a day. */
function useIsNew(isMember: boolean): boolean {
  const { storage } = useChat().services;
  const [openedAt] = useState(Date.now);
  const since = isMember ? storage.get<number>(KEY) : undefined;
  useEffect(() => {
    if (isMember && since === undefined) storage.set(KEY, openedAt);
  }, [storage, isMember, since, openedAt]);
  return openedAt - (since ?? openedAt) < DAY_MS;
}
