import type { AnsweredSince as Answer } from 'api/contract/records';
import { Icon } from 'host/ui/icon.tsx';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { useSelected } from 'host/ui/use-stream.ts';
import type { ChatMessage } from '../conversation/chat-message.ts';
import { useChat } from '../shared/chat-context.ts';
import { AnswerText } from './answer-text.tsx';
import { formatDay } from './format-time.ts';
import styles from './message.module.css';

/** A later answer by an editor, where the original found nothing or was rated not helpful. */
export function AnsweredSince({ message, since }: { message: ChatMessage; since: Answer }) {
  const { services, t, chat } = useChat();
  const isRunning = useSelected(chat.consultation.state$, ({ runningKey }) => runningKey !== null);
  const askAgain = () => {
    const question = chat.store.message(message.key.replace(/^a:/, 'q:'));
    if (question && !isRunning) chat.consultation.send(question.text);
  };
  return (
    <section className={styles.since} aria-label={t('answeredSince')}>
      <header>
        <b>{t('answeredSince')}</b>
        <SourceMark source="curated" label={t('source.curated')} />
        <time dateTime={since.at}>{formatDay(since.at, services.i18n.locale(), new Date())}</time>
      </header>
      <AnswerText text={since.answer} isGrowing={false} citation={noCitation} />
      <button className="button small" type="button" aria-disabled={isRunning} onClick={askAgain}>
        <Icon name="retry" isSmall />
        {t('askAgain')}
      </button>
    </section>
  );
}

/** Answers by editors have no citations: brackets in them are plain text. */
function noCitation() {
  return null;
}
