import { plural } from 'host/ui/plural.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { Link } from 'react-router-dom';
import { useChat } from '../shared/chat-context.ts';
import { useConversations } from './conversations.ts';
import styles from './side-panel.module.css';

/** The visitor's account, or where a guest's conversations are stored. Aligned with the composer. */
export function AccountCard() {
  const { services, t, chat } = useChat();
  const { guestDays, isPending } = useConversations(chat.conversations);
  const username = useStream(services.session.username$);
  if (username)
    return (
      <section className={styles.account} aria-labelledby="account-card">
        <h2 id="account-card">
          <span className="clip">{username}</span>
          <Link to="/history">{t('seeRecords')}</Link>
        </h2>
        <p>{t('signedInText')}</p>
      </section>
    );
  return (
    <section className={styles.account} aria-labelledby="account-card">
      <h2 id="account-card">{t('guestTitle')}</h2>
      <p>{isPending ? '\u00a0' : guestText()}</p>
      <div className={styles.row}>
        <Link className="button small" to="/login">
          {t('signIn')}
        </Link>
        <Link className="button small bare" to="/register">
          {t('signUp')}
        </Link>
      </div>
    </section>
  );

  function guestText(): string {
    return guestDays ? t('guestText', { days: plural(t, 'days', guestDays) }) : t('guestTextUnknown');
  }
}
