/** Messages for failures without a message from the server. */
export const httpTexts = {
  zh: {
    offline: '连不上服务器，请检查网络后再试',
    aborted: '已取消',
    sign_in_required: '请先登录',
    session_ended: '登录过期，请重新登录',
    forbidden: '没有权限这样做',
    not_found: '没有找到',
    too_large: '内容太大，没有发送',
    rate_limited: '请求太频繁，请稍后再试',
    unavailable: '服务器正忙，请稍后再试',
    failed: '没有成功，请再试一次',
  },
  en: {
    offline: 'Can’t reach the server. Check your connection and try again',
    aborted: 'Canceled',
    sign_in_required: 'Please sign in first',
    session_ended: 'Your session has expired. Please sign in again',
    forbidden: 'You don’t have permission',
    not_found: 'Not found',
    too_large: 'This is too large to send',
    rate_limited: 'Too many requests. Please try again in a moment',
    unavailable: 'The server is busy. Please try again in a moment',
    failed: 'Something went wrong. Please try again',
  },
};

export type HttpTextKey = keyof (typeof httpTexts)['zh'];

/** The message key for a response without a body from the API, e.g. from a proxy. */
export function textKeyFor(status: number): HttpTextKey {
  if (status === 401) return 'sign_in_required';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 413) return 'too_large';
  if (status === 429) return 'rate_limited';
  return status >= 502 && status <= 504 ? 'unavailable' : 'failed';
}
