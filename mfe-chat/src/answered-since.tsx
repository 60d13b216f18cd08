import type { AnsweredSince as Answer } from 'api/contract';
import { AnswerText } from './answer-text.tsx';
import { useChat } from './chat-context.ts';
import type { ChatMessage } from './chat-message.ts';
import { formatDay } from './format-time.ts';
import { Icon } from './icon.tsx';
import styles from './message.module.css';
import { SourceMark } from './source-mark.tsx';
import { useSelected } from './use-value.ts';

/** An editor has answered since what had found nothing, or had not helped. */
export function AnsweredSince({ message, since }: { message: ChatMessage; since: Answer }) {
  const { services, t, desk } = useChat();
  const isRunning = useSelected(desk.consultation.state$, ({ runningKey }) => runningKey !== null);
  const askAgain = () => {
    const question = desk.store.message(message.key.replace(/^a:/, 'q:'));
    if (question && !isRunning) desk.consultation.send(question.text);
  };
  return (
    <section className={styles.since} aria-label={t('answeredSince')}>
      <header>
        <b>{t('answeredSince')}</b>
        <SourceMark source="curated" />
        <time dateTime={since.at}>{formatDay(since.at, services.i18n.locale(), new Date())}</time>
      </header>
      <AnswerText text={since.answer} isGrowing={false} citation={noCitation} />
      <button className="button small" type="button" aria-disabled={isRunning} onClick={askAgain}>
        <Icon name="retry" small />
        {t('askAgain')}
      </button>
    </section>
  );
}

/** Editors cite nothing: their brackets are their own. */
function noCitation() {
  return null;
}
