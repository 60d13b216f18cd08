import axios, { type AxiosAdapter, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { toHttpFailure } from './http-failure.ts';
import { httpWords } from './http-words.ts';

export interface Line {
  /** Rejects with HttpFailure. */
  request<T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>>;
}

/** The chunk loaded with the first call: axios and the error texts. `locale` is 'zh-CN' or 'en'. */
export function connect(locale: () => string, adapter?: AxiosAdapter): Line {
  // No timeout, as required by the specification.
  const instance = axios.create({
    xsrfCookieName: 'XSRF-TOKEN',
    xsrfHeaderName: 'X-XSRF-TOKEN',
    ...(adapter ? { adapter } : {}),
  });
  return {
    async request(config) {
      try {
        return await instance.request({
          ...config,
          headers: { 'Accept-Language': locale(), ...config.headers },
        } as AxiosRequestConfig);
      } catch (thrown) {
        throw await toHttpFailure(thrown, (word) => httpWords[locale() === 'en' ? 'en' : 'zh'][word]);
      }
    },
  };
}
