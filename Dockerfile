# The image holds one executable, with the packed world of the default tape inside, and the C
# library that it needs. It runs as a user without a name, and writes into /data alone.
FROM oven/bun:1.4.5-debian AS build
WORKDIR /build
COPY package.json bun.lock ./
COPY scripts/prepare.ts scripts/
RUN TAPEWRIGHT_PREPARE=no bun install --frozen-lockfile
COPY . .
RUN bun run build:binary image/tapewright
RUN ldd image/tapewright | grep -o '/[^ ]*' | xargs -I FILE cp --parents --dereference FILE image/
RUN mkdir -p data image/tmp && chmod 1777 image/tmp

FROM scratch
COPY --from=build /build/image /
COPY --from=build --chown=65532:65532 /build/data /data
ENV TAPEWRIGHT_CACHE=/data TAPEWRIGHT_HOST=0.0.0.0
USER 65532:65532
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s CMD ["/tapewright", "health"]
ENTRYPOINT ["/tapewright"]
CMD ["serve"]
