import type { DeskRecord, RecordPage } from 'api/contract/records';
import type { BehaviorSubject } from 'rxjs';
import type { AskedQuestion } from './asked-question.ts';
import { filesOf } from './chat-message.ts';
import type { ConsultationDeps, ConsultationState } from './consultation-port.ts';

interface QuestionSyncDeps extends Pick<ConsultationDeps, 'http' | 'store' | 'pictures'> {
  state$: BehaviorSubject<ConsultationState>;
}

/** Updates a question with the contact and file names that the server has stored in its record. Does nothing when aborted. */
export function createQuestionSync({ http, store, pictures, state$ }: QuestionSyncDeps) {
  return async (asked: AskedQuestion, recordId: string, conversationId: string, signal: AbortSignal) => {
    const chosen = asked.contact;
    try {
      const { data } = await http.get<RecordPage>(`/api/conversations/${conversationId}/records`, {
        params: { limit: 5 },
        signal,
      });
      const record = data.records.find(({ id }) => id === recordId);
      if (!record || signal.aborted) return;
      cacheSentPictures(asked, record);
      store.patch(asked.questionKey, { contact: record.contact, text: record.question, ...filesOf(record) });
      if (record.imgUrls.length) store.replaceImgUrls(record.imgUrls);
      if (chosen && state$.value.contact === chosen)
        state$.next({ ...state$.value, contact: record.contact });
    } catch {
      // The typed values stay until the conversation is loaded again.
    }
  };

  /** Reuses the pictures sent by this page, so that they need not be downloaded. */
  function cacheSentPictures({ files }: AskedQuestion, { imgUrls }: Pick<DeskRecord, 'imgUrls'>): void {
    const own = files.filter(({ file }) => file.type.startsWith('image/'));
    if (own.length !== imgUrls.length) return;
    for (const [index, url] of imgUrls.entries()) pictures.add(url, own[index]!.file);
  }
}
