# kawe for servers, and `kawe serve` for training: docs/how-to/run-in-a-container.md.
# `make image` builds it, and the wheel that it takes.
FROM python:3.13-slim-bookworm AS installed
COPY constraints.txt dist/kawe-*.whl /tmp/kawe/
RUN python -m venv --without-pip /opt/kawe \
    && python -m pip --python /opt/kawe --no-cache-dir install \
        --require-hashes --only-binary=:all: -r /tmp/kawe/constraints.txt \
    && python -m pip --python /opt/kawe --no-cache-dir install \
        --no-index --no-deps /tmp/kawe/kawe-*.whl

FROM python:3.13-slim-bookworm
COPY --from=installed /opt/kawe /opt/kawe
RUN useradd --uid 1000 --user-group --home-dir /srv/kawe --create-home kawe \
    && chmod 700 /srv/kawe
# All that kawe keeps lies on the volume: settings, journal, log, workbooks.
ENV PATH=/opt/kawe/bin:$PATH \
    HOME=/srv/kawe \
    XDG_CONFIG_HOME=/srv/kawe/config \
    XDG_STATE_HOME=/srv/kawe/state
USER 1000:1000
WORKDIR /srv/kawe
VOLUME /srv/kawe
# Of the twin; what runs once and ends needs none. A container that submits is
# started with --no-healthcheck.
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8750/portal/')"]
ENTRYPOINT ["kawe"]
CMD ["serve"]
