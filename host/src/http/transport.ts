import axios, { type AxiosAdapter, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { toHttpFailure } from './http-failure.ts';
import { httpTexts } from './http-texts.ts';

export interface Transport {
  /** Rejects with HttpFailure. */
  request<T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>>;
}

/** The chunk loaded with the first call: axios and the error texts. `locale` is 'zh-CN' or 'en'. */
export function createTransport(locale: () => string, adapter?: AxiosAdapter): Transport {
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
        throw await toHttpFailure(thrown, (key) => httpTexts[locale() === 'en' ? 'en' : 'zh'][key]);
      }
    },
  };
}
