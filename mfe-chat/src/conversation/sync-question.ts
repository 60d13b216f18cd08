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
    const typed = asked.contact;
    try {
      const { data } = await http.get<RecordPage>(`/api/conversations/${conversationId}/records`, {
        params: { limit: 5 },
        signal,
      });
      const taken = data.records.find(({ id }) => id === recordId);
      if (!taken || signal.aborted) return;
      keepPictures(asked, taken);
      store.patch(asked.questionKey, { contact: taken.contact, text: taken.question, ...filesOf(taken) });
      if (taken.imgUrls.length) store.replaceImgUrls(taken.imgUrls);
      if (typed && state$.value.contact === typed) state$.next({ ...state$.value, contact: taken.contact });
    } catch {
      // The typed values stay until the conversation is loaded again.
    }
  };

  /** Reuses the pictures sent by this page, so that they need not be downloaded. */
  function keepPictures({ files }: AskedQuestion, { imgUrls }: Pick<DeskRecord, 'imgUrls'>): void {
    const own = files.filter(({ file }) => file.type.startsWith('image/'));
    if (own.length !== imgUrls.length) return;
    for (const [index, url] of imgUrls.entries()) pictures.keep(url, own[index]!.file);
  }
}
