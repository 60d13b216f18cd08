import type { DeskRecord } from 'api/contract/records';
import type { FeedbackRequest } from 'api/contract/search';
import type { Http, Toasts, Translate } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { Icon } from 'host/ui/icon.tsx';
import { type FormEvent, useId, useState } from 'react';
import styles from './detail.module.css';
import type { HistoryTexts } from './history-texts.ts';

interface RecordRatingProps {
  record: DeskRecord;
  http: Http;
  toasts: Toasts;
  t: Translate<HistoryTexts>;
  onChange(feedback: DeskRecord['feedback']): void;
}

const NOTE_MAX = 2000;

/** Rating buttons, shown as pressed immediately, and a note. The second press removes the rating. */
export function RecordRating({ record, http, toasts, t, onChange }: RecordRatingProps) {
  const { id, feedback } = record;
  const noteId = useId();
  const [draft, setDraft] = useState<string | null>(null);
  /** For screen readers. */
  const [said, setSaid] = useState('');

  const rate = async (next: DeskRecord['feedback']): Promise<boolean> => {
    onChange(next);
    const body: FeedbackRequest = { recordId: id, rating: next?.rating ?? 0 };
    try {
      await http.post('/api/feedback', next?.note ? { ...body, note: next.note } : body);
      return true;
    } catch (error) {
      onChange(feedback);
      toasts.show({ kind: 'error', text: asFailure(error).message });
      return false;
    }
  };
  const press = (rating: 1 | -1) => {
    setDraft(null);
    setSaid(
      feedback?.rating === rating ? t('unrated') : t(rating === 1 ? 'rated.helpful' : 'rated.unhelpful'),
    );
    void rate(feedback?.rating === rating ? null : { rating, note: feedback?.note ?? '' });
  };
  const saveNote = async (event: FormEvent) => {
    event.preventDefault();
    if (!feedback || draft === null) return;
    if (await rate({ ...feedback, note: draft.trim() })) {
      setDraft(null);
      toasts.show({ kind: 'success', text: t('note.saved') });
    }
  };

  return (
    <>
      <fieldset className={styles.rating} aria-label={t('rating')}>
        <button
          className="icon-button"
          type="button"
          aria-label={t('helpful')}
          aria-pressed={feedback?.rating === 1}
          onClick={() => press(1)}
        >
          <Icon name="thumb" />
        </button>
        <button
          className="icon-button"
          type="button"
          aria-label={t('unhelpful')}
          aria-pressed={feedback?.rating === -1}
          onClick={() => press(-1)}
        >
          <Icon name="thumb" className="up" />
        </button>
        {feedback && draft === null && (
          <button className="button small bare" type="button" onClick={() => setDraft(feedback.note)}>
            {t(feedback.note ? 'note.edit' : 'note.add')}
          </button>
        )}
      </fieldset>
      <span className="sr" role="status">
        {said}
      </span>
      {feedback?.rating === -1 && <p className={styles.visibility}>{t('note.visibility')}</p>}
      {feedback?.note && draft === null && (
        <p className={styles.given} dir="auto">
          {feedback.note}
        </p>
      )}
      {feedback && draft !== null && (
        <form className={styles.noteForm} onSubmit={saveNote}>
          <div className="field">
            <label htmlFor={noteId}>{t('note')}</label>
            <textarea
              className="input"
              dir="auto"
              id={noteId}
              rows={2}
              maxLength={NOTE_MAX}
              value={draft}
              // biome-ignore lint/a11y/noAutofocus: the visitor has just opened it
              autoFocus
              onChange={({ target }) => setDraft(target.value)}
            />
          </div>
          <button className="button small" type="button" onClick={() => setDraft(null)}>
            {t('cancel')}
          </button>
          <button className="button small primary" type="submit">
            {t('note.save')}
          </button>
        </form>
      )}
    </>
  );
}
