import type { Feedback, RecordPage } from 'api/contract/records';
import type { FeedbackRequest } from 'api/contract/search';
import type { Http } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import type { MessageFailure } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';

interface Rating {
  /** The rating that the server has stored. */
  stored: Feedback | null;
  requested: Feedback | null;
  end: Promise<void>;
}

/** The visitor's ratings of the answers. */
export function createRatings(deps: {
  http: Pick<Http, 'get' | 'post'>;
  store: ChatStore;
  onFailure(failure: MessageFailure): void;
}) {
  const { http, store, onFailure } = deps;
  /** By record id. Each record has one request at a time, so that the last rating wins. */
  const running = new Map<string, Rating>();

  const send = (recordId: string, feedback: Feedback | null) => {
    const { rating, note } = feedback ?? { rating: 0 as const, note: '' };
    const request: FeedbackRequest = { recordId, rating, ...(note ? { note } : {}) };
    return http.post('/api/feedback', request);
  };

  const sendAll = async (key: string, recordId: string, rating: Rating) => {
    try {
      while (rating.requested !== rating.stored) {
        const { requested } = rating;
        await send(recordId, requested);
        rating.stored = requested;
      }
    } catch (reason) {
      store.patch(key, { feedback: rating.stored });
      onFailure(asFailure(reason));
    } finally {
      running.delete(recordId);
    }
  };

  return {
    /**
     * Shows the rating immediately; null removes it. If the server rejects it, restores the stored rating and reports the failure. Resolves
     * to false in that case, or when a newer rating has replaced this one.
     */
    async rate(key: string, feedback: Feedback | null): Promise<boolean> {
      const message = store.message(key);
      if (!message?.recordId) return false;
      const { recordId } = message;
      store.patch(key, { feedback });
      let rating = running.get(recordId);
      if (rating) rating.requested = feedback;
      else {
        rating = { stored: message.feedback, requested: feedback, end: Promise.resolve() };
        running.set(recordId, rating);
        rating.end = sendAll(key, recordId, rating);
      }
      await rating.end;
      return rating.stored === feedback;
    },
    /** Refreshes the ratings and the editors' later answers of the newest 100 records: both may have changed elsewhere. */
    async refresh(conversationId: string): Promise<void> {
      try {
        const { data } = await http.get<RecordPage>(`/api/conversations/${conversationId}/records`, {
          params: { limit: 100 },
        });
        const fresh = new Map(data.records.map((record) => [record.id, record]));
        for (const { key, recordId, inversion, feedback, answeredSince } of store.chatList) {
          const record = fresh.get(recordId);
          if (inversion || !record) continue;
          if (record.answeredSince && record.answeredSince.at !== answeredSince?.at)
            store.patch(key, { answeredSince: record.answeredSince });
          const { feedback: now } = record;
          if (running.has(recordId)) continue;
          if (now?.rating !== feedback?.rating || now?.note !== feedback?.note)
            store.patch(key, { feedback: now });
        }
      } catch {
        // The outdated ratings stay until the next refresh.
      }
    },
  };
}
