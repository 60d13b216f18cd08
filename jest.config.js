import path from 'node:path';
import { swcOptions, webProject } from './tests/web-project.js';

const transform = { '\\.tsx?$': ['@swc/jest', swcOptions(false)] };
const web = (name) => webProject({ name, dir: path.join(import.meta.dirname, name) });

export default {
  // Desks and stores are started for real: a busy machine needs more than the usual 5 s.
  testTimeout: 30_000,
  projects: [
    ...['host', 'mfe-auth', 'mfe-chat', 'mfe-records'].map(web),
    {
      displayName: 'api',
      rootDir: 'api',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/src/**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      transform,
    },
    {
      displayName: 'contract',
      rootDir: 'tests',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/{contract,chaos,bench}/**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      transform,
    },
  ],
};
