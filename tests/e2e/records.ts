import { expect, type Page } from 'playwright/test';

export interface Asked {
  text: string;
  contact?: string;
  contactName?: string;
}

/** Asks as the visitor of this page, by the call that the chat makes; one after the other. */
export async function askAs(page: Page, questions: Asked[]): Promise<void> {
  const statuses = await page.evaluate(async (asked) => {
    const answered: number[] = [];
    for (const question of asked) {
      // The first call of a stranger brings the cookie along.
      const cookie = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(cookie) };
      const answer = await fetch('/api/chat', { method: 'POST', headers, body: JSON.stringify(question) });
      answered.push(answer.status);
    }
    return answered;
  }, questions);
  expect(statuses).toEqual(questions.map(() => 200));
}

/** Brings `count` finished records in by the import call, about five a day, newest first. */
export async function bringIn(page: Page, count: number): Promise<void> {
  const imported = await page.evaluate(async (total) => {
    const cookie = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(cookie) };
    const salt = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    const id = (n: number) => (salt * 2 ** 20 + n).toString(16).padStart(24, '0');
    const now = Date.now();
    let sum = 0;
    for (let first = 0; first < total; first += 500) {
      const size = Math.min(500, total - first);
      const records = Array.from({ length: size }, (_, offset) => {
        const n = first + offset;
        const createdAt = new Date(now - n * 5 * 3_600_000 - 60_000).toISOString();
        return {
          id: id(n + 1),
          conversationId: id(900_000),
          contact: n % 2 ? { id: '13800138000', name: '张三' } : null,
          kind: 'chat',
          status: 'done',
          question: `第 ${n} 个问题，退款何时到账？`,
          answer: `第 ${n} 个回答：退款三天到账。`,
          citations: [],
          source: 'curated',
          isImage: false,
          url: '',
          imgUrls: [],
          files: [],
          feedback: null,
          suggestions: [],
          createdAt,
          answeredAt: createdAt,
        };
      });
      const at = records[0]?.createdAt ?? '';
      const conversations = [
        { id: id(900_000), title: '退款', contact: null, recordCount: total, createdAt: at, updatedAt: at },
      ];
      const body = JSON.stringify({
        format: 'consultation-desk-records',
        version: 1,
        exportedAt: at,
        conversations,
        records,
      });
      const answer = await fetch('/api/import', { method: 'POST', headers, body });
      sum += ((await answer.json()) as { imported: number }).imported;
    }
    return sum;
  }, count);
  expect(imported).toBe(count);
}
