import { useStream } from 'host/ui/use-stream.ts';
import { useEffect } from 'react';
import { useChat } from '../state/chat-context.ts';
import { NO_MODEL } from '../state/model-choice.ts';
import styles from './model-select.module.css';

/** Select box for the model of the next question. Renders nothing if there is no choice. */
export function ModelSelect() {
  const { chat, t } = useChat();
  const { list, chosen } = useStream(chat.models.state$);
  useEffect(() => {
    const left = new AbortController();
    const read = () => void chat.models.load(left.signal);
    // The server disables a failed model for a while: refreshes the availability after each answer.
    const answers = chat.consultation.finished$.subscribe(() => {
      if (chat.models.state$.value.list?.models.length) read();
    });
    // Not urgent: visible content loads first.
    const idle = window.requestIdleCallback?.(read, { timeout: 3_000 });
    const timer = idle === undefined ? setTimeout(read, 500) : undefined;
    return () => {
      left.abort();
      answers.unsubscribe();
      if (idle !== undefined) cancelIdleCallback(idle);
      clearTimeout(timer);
    };
  }, [chat]);

  if (!list?.models.length) return null;
  const value = chosen || list.default;
  const current = list.models.find(({ name }) => name === value);
  const isDown = current?.isAvailable === false;
  const hint = isDown ? t('modelDownHint', { model: current.name }) : t('models');
  return (
    <select
      className={styles.select}
      aria-label={t('models')}
      title={hint}
      data-down={isDown || undefined}
      value={value}
      onChange={({ currentTarget }) => chat.models.choose(currentTarget.value)}
    >
      {list.models.map(({ name, isAvailable }) => (
        <option key={name} value={name}>
          {isAvailable ? name : t('modelDown', { model: name })}
        </option>
      ))}
      <option value={NO_MODEL}>{t('byKnowledge')}</option>
    </select>
  );
}
