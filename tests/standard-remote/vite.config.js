import { federation } from '@module-federation/vite';
import react from '@vitejs/plugin-react';

export default {
  base: './',
  build: { target: 'es2022', outDir: process.env.OUT, emptyOutDir: true },
  plugins: [
    react(),
    federation({
      name: 'tickets',
      filename: 'remoteEntry.js',
      exposes: { './Tickets': './src/tickets.jsx' },
      shared: { react: { singleton: true }, 'react-dom': { singleton: true } },
      manifest: true,
      dts: false,
    }),
  ],
};
