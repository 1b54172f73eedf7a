# The commands for people. Each target installs what it needs; `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# The first of these that is new enough; `make run PYTHON=…` names another one.
PYTHON ?= $(firstword $(foreach python,python3 python3.13 python3.12 python3.11,$(shell \
	$(python) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(python))) python3)
VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv
BENCH ?=
STRENGTH ?=
KUBERNETES ?=
AS_ROOT = $(if $(filter 0,$(shell id -u)),,sudo)
BUSY ?=
CHAOS ?=
FAILOVER ?=
SIEGE ?=
SMALL ?=
TOURNAMENTS ?=
CONTRACT ?= $(foreach game,pisti pazaak shithead pyanitsa,cardroom.rules.$(game):GAME)
TIMES ?= 25
# Every test whose budget grows with FUZZ_EXAMPLES.
SOAK = $(shell grep -rlE '@examples|FUZZING' tests --include='test_*.py')
# Every test that tries all cases of something.
SWEEPS = $(shell grep -rl 'mark\.sweep' tests --include='test_*.py')
# Three on two cores: one of them often waits for a process or a clock.
TESTERS ?= 3
GAMES ?=
ARENA ?= pisti counter greedy --matches 2000 --seed 1

# uv does not read pip's configuration. A mirror that is set for pip is used for uv too.
PIP_MIRROR = $(shell $(PYTHON) -m pip config get global.index-url 2>/dev/null || true)
WITH_MIRROR = $(if $(UV_DEFAULT_INDEX)$(UV_INDEX_URL),,$(if $(PIP_MIRROR),UV_DEFAULT_INDEX=$(PIP_MIRROR)))
INSTALL = $(WITH_MIRROR) $(UV) pip install --quiet --python $(PY) --require-hashes
# Games from outside: a folder is used where it lies, and no library of ours changes its version.
ADD_GAMES = $(WITH_MIRROR) $(UV) pip install --quiet --python $(PY) \
	--overrides games-override.txt --constraints requirements.lock
# Bytecode of libraries and tree, once and on all cores.
COMPILED = env -u PYTHONDONTWRITEBYTECODE $(PY) -m compileall -q -j 0 $(VENV)/lib accounts config decks games || true
COMPILE = $(WITH_MIRROR) $(UV) pip compile --quiet --universal \
	--fork-strategy fewest --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate \
	--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

# What was compiled once is kept: else every start, and every process of the suite, compiles it again.
run test sweeps shake fuzz soak chaos bench footprint small release: export PYTHONDONTWRITEBYTECODE =

.PHONY: help study run install-service upgrade test sweeps game shake check size format lock packages published release audit tables messages docs examples bench footprint small pairing tournaments kubernetes pages people fuzz soak contract night chaos failover moment document clients mcp telling webhooks lighthouse races image e2e screenshots art strength ratings-study kernels calibration leaderboard solve war arena clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

study: ## Measure the service, the games and the suite, or try to break them (NAME=kernels; without NAME: the list)
	@$(if $(NAME),$(MAKE) --no-print-directory $(NAME),awk -F ':.*#: ' '/^[a-z0-9-]+:.*#: / {printf "  make study NAME=%-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST))

run: $(VENV)/.run ## Serve Cardroom on this machine (PORT, HOST, CARDROOM_STATE, GAMES="durak-cardroom ./my-game")
	@$(if $(strip $(GAMES)),$(ADD_GAMES) $(foreach game,$(GAMES),$(if $(wildcard $(game)/pyproject.toml),-e )$(game)))
	@exec $(PY) manage.py serve

install-service: $(VENV)/.run ## Serve Cardroom by systemd, from each start of this machine on (settings: .env)
	@id cardroom > /dev/null 2>&1 || $(AS_ROOT) useradd --system --home-dir /var/lib/cardroom --shell /usr/sbin/nologin cardroom
	@grep -qs '^CARDROOM_STATE=' .env || echo CARDROOM_STATE=/var/lib/cardroom >> .env
	@$(AS_ROOT) chgrp cardroom .env && $(AS_ROOT) chmod 640 .env
	@sed 's|@TREE@|$(CURDIR)|' docker/cardroom.service | $(AS_ROOT) tee /etc/systemd/system/cardroom.service > /dev/null
	@$(AS_ROOT) systemctl daemon-reload && $(AS_ROOT) systemctl enable --now cardroom
	@echo "It runs. The administrator's password stands in: journalctl -u cardroom"

upgrade: ## Take the newest release, after a trial on a copy of the database (TO=v1.1.0; TO=back: the one before)
	@docker/upgrade $(TO)

test: $(VENV)/.dev ## Run the whole suite on a real Postgres and a real Valkey (T="…" for a part)
	@$(PY) -m pytest -n $(TESTERS) --dist loadgroup $(T)

sweeps: $(VENV)/.dev ## Run what make test leaves out: every case where it tries a few (T="…" for a part)
	@$(PY) -m pytest -n $(TESTERS) --dist loadgroup -m "sweep and not browser" $(or $(T),$(SWEEPS))

game: $(VENV)/.dev ## Test a game from outside as those of the house are (GAME=./my-game)
	@$(PY) -m tests.outside $(GAME)

shake: $(VENV)/.dev #: Run the suite in random order with other deals, several times (N=10); prints each seed
	@failed=0; for run in $$(seq $${N:-10}); do \
		LUCK=1 $(PY) -m pytest -n $(TESTERS) --dist loadgroup --random-order $(T) || failed=$$((failed + 1)); \
	done; echo "$$failed of $${N:-10} runs failed"; exit $$((failed > 0))

check: $(VENV)/.dev ## Format, lint, types, contracts, migrations, dependencies
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(PY) -m tests.floors
	$(PY) -m cardroom.rules.import_check
	env PYTHONPATH=examples/durak:examples/scopa $(PY) -m cardroom.rules.import_check durak_cardroom scopa_cardroom
	$(VENV)/bin/deptry .
	$(PY) manage.py check_migrations
	make --silent document

size: $(VENV)/.dev ## Print how large the tree is, by room, beside its budget
	@$(PY) -m tests.size --rooms

format: $(VENV)/.dev ## Format the code and fix what ruff can fix
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

lock: $(UV) ## Resolve pyproject.toml into the locks (UPGRADE=1 takes newer versions)
	$(COMPILE) --group bootstrap -o requirements-bootstrap.lock
	$(COMPILE) pyproject.toml --extra arena -o requirements.lock
	$(COMPILE) pyproject.toml --extra arena --extra data --extra fast --extra research --group dev -c requirements.lock \
		-o requirements-dev.lock
	$(COMPILE) pyproject.toml --extra arena --extra fast -c requirements-dev.lock \
		-o requirements-fast.lock
	$(COMPILE) --group browser -c requirements-dev.lock -o requirements-browser.lock
	$(COMPILE) --group mcp -c requirements-dev.lock -o requirements-mcp.lock
	$(COMPILE) --group docs -c requirements-dev.lock -o requirements-docs.lock
	@! grep -nE '://|file:|index-url| @ ' requirements*.lock

PACKAGES := var/packages
NODE := var/clients
NPM = $(shell command -v npm)
NO_NPM = echo "npm is not on this machine: the API document was not linted."
BIN := node_modules/.bin
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

packages: $(UV) ## Build the library without Django and the typed clients in var/packages/dist
	@rm -rf $(PACKAGES) && mkdir -p $(PACKAGES) && cp -r cardroom $(PACKAGES)/ && mv $(PACKAGES)/cardroom/pyproject.toml $(PACKAGES)/
	@find $(PACKAGES) -name __pycache__ -type d -prune -exec rm -rf {} +
	@$(PY) -m tests.clients.packages $(PACKAGES)/clients
	@$(foreach folder,$(PACKAGES) $(PACKAGES)/clients/python,$(WITH_MIRROR) $(UV) build --quiet --wheel --out-dir $(PACKAGES)/dist $(folder);)
	@$(if $(NPM),npm pack --silent --pack-destination $(PACKAGES)/dist $(abspath $(PACKAGES)/clients/javascript) > /dev/null,$(NO_NPM))
	@ls $(PACKAGES)/dist

published: packages $(if $(NPM),$(NODE)/.npm) #: Check the packages as registries and type checkers do: twine, publint, attw, mypy and pyright, strict
	@$(WITH_MIRROR) $(UV) tool run --quiet twine check --strict $(PACKAGES)/dist/*.whl
	@$(UV) venv --quiet --clear --python $(PY) $(PACKAGES)/venv && cp tests/clients/typed.py $(PACKAGES)/
	@$(WITH_MIRROR) $(UV) pip install --quiet --python $(PACKAGES)/venv/bin/python mypy pyright $(PACKAGES)/dist/cardroom_client-*.whl
	@cd $(PACKAGES) && venv/bin/mypy --strict --config-file= typed.py
	@cd $(PACKAGES) && echo '{"include": ["typed.py"], "typeCheckingMode": "strict"}' > pyrightconfig.json && \
	venv/bin/pyright --pythonpath venv/bin/python
	@$(if $(NPM),cd $(NODE) && $(BIN)/publint --strict $(abspath $(PACKAGES))/dist/*.tgz && \
	$(BIN)/attw --profile esm-only $(abspath $(PACKAGES))/dist/*.tgz,echo "npm is not on this machine: publint and attw were left out.")

release: $(VENV)/.dev ## Check everything, build packages and notes; prints what is left to do (AGAINST=v0.1.0)
	@$(PY) -m tests.release $(if $(AGAINST),--against $(AGAINST)) $(RELEASE)

audit: $(VENV)/.dev #: Look the locked versions up in the advisory database
	$(VENV)/bin/pip-audit --require-hashes --disable-pip -r requirements.lock

tables: $(VENV)/.dev ## Write the dump of the schema from which a first start makes its tables (config/postgres/tables.sql)
	@rm -rf var/tables; CARDROOM_STATE=$(CURDIR)/var/tables CARDROOM_ONE_MACHINE=1 $(PY) manage.py tables --write; rm -rf var/tables

messages: $(VENV)/.dev ## Collect what is said into the catalogues of config/locale, and compile them
	@$(PY) -m tests.messages

docs: $(VENV)/.docs ## Build the documentation; the service shows it at /docs/ (SITE=… is the folder)
	@$(PY) -m docs.building $(SITE)

examples: $(VENV)/.dev ## Run the commands of the README and the documentation as they stand there
	@$(PY) -m tests.docs.examples

bench: $(VENV)/.dev #: Measure the service against its targets, or against a version (AGAINST=v0.1.0)
	@$(PY) -m tests.bench $(BENCH) $(if $(AGAINST),--against $(AGAINST))

footprint: $(VENV)/.dev #: Measure what a service takes while nobody plays: starts, memory, processor (FOOTPRINT="--against ../other")
	@$(PY) -m tests.bench.footprint $(FOOTPRINT)

small: $(VENV)/.dev #: Serve 200 players on one core and in 1 GB for five minutes (SMALL="--players 50 --seconds 30")
	@$(PY) -m tests.bench.small $(SMALL)

pairing: $(VENV)/.dev #: Let 200 people pair for five minutes over the API (PAIRING="--people 200 --seconds 300")
	@$(PY) -m tests.bench.pairing $(PAIRING)

tournaments: $(VENV)/.dev #: Play each form of tournament with 200 players while parts are killed, a quarter of an hour each (TOURNAMENTS="--forms swiss --players 50")
	@$(PY) -m tests.chaos.tournaments $(TOURNAMENTS)

kubernetes: $(VENV)/.dev #: Check the manifests and the chart of docker/kubernetes by schema and Helm (KUBERNETES=--write)
	@$(WITH_MIRROR) $(PY) -m tests.kubernetes $(KUBERNETES)

pages: $(VENV)/.dev #: Print what each page costs among 20,000 people: processor, database, bytes (PAGES="--plies 10000000")
	@$(PY) -m tests.bench.people --people 20000 --matches 100000 $(or $(PAGES),--plies 10000)

people: $(VENV)/.dev #: Time profiles and the lobby among 100,000 people and 1,000,000 matches (PEOPLE="--people 1000 --matches 10000")
	@$(PY) -m tests.bench.people $(PEOPLE)

fuzz: $(VENV)/.dev #: Send generated requests to every operation of the API and along its links (FUZZ_EXAMPLES, FUZZ_SEED, T="-k deck")
	@export FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-50} FUZZ_SEED=$${FUZZ_SEED:-$$RANDOM$$RANDOM}; \
	echo "FUZZ_SEED=$$FUZZ_SEED, up to $$FUZZ_EXAMPLES examples an operation"; \
	$(PY) -m pytest tests/api/test_schemathesis.py -n 2 --dist loadgroup -m "not browser" $(T)

soak: $(VENV)/.dev #: Play many matches and live many histories with other moves each time (FUZZ_EXAMPLES, FUZZ_SEED)
	@export FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-500} FUZZ_SEED=$${FUZZ_SEED:-$$RANDOM$$RANDOM}; \
	echo "FUZZ_SEED=$$FUZZ_SEED"; \
	$(PY) -m pytest $(SOAK) --hypothesis-seed $$FUZZ_SEED -n 2 --dist loadgroup -m "not browser"

contract: $(VENV)/.dev #: Try games with as many examples as a new game needs (CONTRACT="my_game:GAME", TIMES=25)
	@for game in $(CONTRACT); do echo "$$game"; $(PY) -m cardroom.contract $$game --times $(TIMES); done

night: $(VENV)/.dev #: Serve from 01:55 to 02:30 with 2,000 matches to count: no duty is late (NIGHT="--begins 02:06 --minutes 3")
	@$(PY) -m tests.chaos.night $(NIGHT)

chaos: $(VENV)/.dev #: Start on a machine that has no time, kill every part under load, play 300 matches under fire (BUSY, CHAOS, SIEGE)
	@$(PY) -m tests.chaos.busy $(BUSY)
	@$(PY) -m tests.chaos $(CHAOS)
	@$(PY) -m tests.chaos.siege $(SIEGE)

failover: $(VENV)/.dev #: Take the primaries of three Postgres and two Valkeys away under load (ROUNDS=10, FAILOVER="--only killed")
	@$(WITH_MIRROR) $(PY) -m tests.chaos.failover --rounds $${ROUNDS:-1} $(FAILOVER)

moment: $(VENV)/.dev #: Delete all that was played, and restore to the moment before by Barman (needs rsync)
	@$(WITH_MIRROR) $(PY) -m tests.chaos.moment

document: $(VENV)/.dev $(if $(NPM),$(NODE)/.npm) ## Lint the API document with Spectral and Redocly (needs npm)
	@$(if $(NPM),$(PY) manage.py spectacular --format openapi-json --file $(NODE)/openapi.json && \
	cd $(NODE) && rm -f redocly.txt && $(BIN)/spectral lint --fail-severity hint --ruleset spectral.yaml openapi.json && \
	$(BIN)/redocly lint --extends recommended openapi.json > redocly.txt 2>&1 && \
	! grep 'You have .* warning' redocly.txt || { cat redocly.txt; exit 1; },$(NO_NPM))

clients: document #: Compile ordinary calls with types that are made of the API document (needs npm)
	@$(PY) -m tests.clients.packages $(NODE)/packages
	@$(if $(NPM),cp tests/clients/*.ts $(NODE)/ && cd $(NODE) && mkdir -p node_modules/@cardroom && \
	ln -sfn ../../packages/javascript node_modules/@cardroom/client && \
	$(BIN)/openapi-typescript openapi.json --default-non-nullable false -o api.d.ts && \
	$(BIN)/tsc --strict --noEmit --skipLibCheck --module nodenext --moduleResolution nodenext \
		--target es2022 use.ts typed.ts && echo "The document is clean and its types compile.",true)

# What package-lock.json names and nothing else; var/ is no part of the tree.
$(NODE)/.npm: tests/clients/package-lock.json tests/clients/package.json tests/clients/spectral.yaml
	@mkdir -p $(NODE) && cp tests/clients/package*.json tests/clients/spectral.yaml $(NODE)/
	@cd $(NODE) && npm ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@

mcp: $(VENV)/.dev var/mcp/.installed #: Let a scripted assistant play over the MCP server, by the official SDK
	@$(PY) -m pytest -q -m sweep tests/clients/test_mcp.py

# The SDK brings a stack of HTTP of its own, of which the service knows nothing.
var/mcp/.installed: requirements-mcp.lock $(UV)
	@$(UV) venv --quiet --clear --python $(PY) var/mcp
	@$(WITH_MIRROR) $(UV) pip install --quiet --python var/mcp/bin/python --require-hashes -r requirements-mcp.lock
	@touch $@

telling: $(VENV)/.dev #: Kill 1,000 workers that tell people of news, and count what came (KILLS=100)
	@KILLS=$${KILLS:-1000} $(PY) -m pytest -q tests/notifications/test_kills.py -s

webhooks: $(VENV)/.dev #: Measure what 1,000 webhooks a minute cost who waits for a computer (WEBHOOKS="--rounds 9 --seconds 10")
	@$(PY) -m tests.bench.telling $(WEBHOOKS)

lighthouse: $(VENV)/.browser #: Let Lighthouse judge the first pages as on a slow phone (needs npm)
	@$(PY) -m tests.bench.lighthouse $(LIGHTHOUSE)

races: $(VENV)/.dev #: Begin moves, roll-backs, the clock, suspensions at one moment (RACES=1000 rounds of each)
	@export RACES=$${RACES:-1000}; $(PY) -m pytest -q -s tests/matches/test_races_by_barrier.py \
		tests/lobby/test_races_by_barrier.py \
		tests/lobby/test_seats_by_barrier.py && \
	$(PY) -m pytest -q tests/security/test_suspension_races.py

image: $(VENV)/.dev #: Run the steps of docker/Dockerfile in a clean tree, without an engine
	@$(PY) docker/try_dockerfile

e2e: $(VENV)/.browser ## Play in Chromium and Firefox; installs Debian's where none is found (T="…" for a part)
	@command -v chromium chromium-browser > /dev/null || $(AS_ROOT) sh -c \
		'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium' || { \
		echo "No browser was found. Debian, Ubuntu: apt install chromium"; exit 1; }
	@command -v firefox firefox-esr > /dev/null || $(AS_ROOT) sh -c \
		'apt-get update -qq && apt-get install -y -qq --no-install-recommends firefox-esr' || \
		echo "FIREFOX IS NOT TESTED: there is none. Debian: apt install firefox-esr; Ubuntu: firefox"
	@$(PY) -m pytest $(or $(T),tests/e2e) -m browser

screenshots: $(VENV)/.browser #: Take a picture of every page, light and dark (SCREENSHOTS="table": only some; README=1: its own)
	@$(PY) -m tests.screenshots $(if $(README),--readme)

art: $(VENV)/.dev #: Draw cards, faces and felts again
	@$(PY) -m tests.art

strength: $(VENV)/.dev #: Measure bots and kernels against what they must reach (STRENGTH="pisti pazaak/2", STRENGTH_SCALE, STRICT)
	@$(PY) -m tests.strength $(STRENGTH)

ratings-study: $(VENV)/.dev #: Compare models of ratings on simulated populations with known strengths (docs/ratings.md)
	@$(PY) -m tests.strength.people

kernels: $(VENV)/.dev #: Check kernels against the rules ply by ply (SEEDS=100000 a variant, FIRST, JOBS, GAME, VARIANT)
	@$(PY) -m cardroom.fast.kernel
	@$(PY) manage.py verify_kernels --seeds $${SEEDS:-100000} --first-seed $${FIRST:-0} --jobs $${JOBS:-2} $${GAME:+--game $$GAME} $${VARIANT:+--variant $$VARIANT}

calibration: $(VENV)/.dev #: Judge decisions of fresh matches and print how right the coach's chances are (CALIBRATION="--seconds 60 --write")
	@$(PY) -m tests.calibration $(CALIBRATION)

leaderboard: $(VENV)/.dev #: Play all computers against each other, write docs/leaderboard.md and the ratings that are shipped (LEADERBOARD="pisti", --changed, JOBS)
	@$(PY) -m tests.strength.leaderboard $(LEADERBOARD)

solve: $(VENV)/.dev #: Solve the small games by counterfactual regret minimisation and print how exploitable they are (SOLVE=200 rounds)
	@$(PY) -m tests.strength.solving $(SOLVE)

war: $(VENV)/.dev #: Play a million games of War and compare five published figures
	@$(PY) -m tests.strength.war

arena: $(VENV)/.dev #: Let two strategies play (ARENA="pisti counter greedy --matches 2000")
	@$(PY) manage.py arena $(ARENA)

clean: ## Remove the environment and caches (never the state folder)
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf staticfiles site var/test var/bench
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment: a venv without Debian's python3-venv, uv into it, then the lock

$(UV): requirements-bootstrap.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Cardroom needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)."; \
		echo "Name another one: make run PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m pip --version 2>/dev/null | awk '{ split($$2, v, "."); found = 1; \
		exit !(v[1] > 22 || (v[1] == 22 && v[2] >= 3)) } END { if (!found) exit 1 }' || { \
		echo "Cardroom needs pip 22.3 or newer for '$(PYTHON)'."; \
		echo "Debian, Ubuntu: apt install python3-pip. Elsewhere: $(PYTHON) -m ensurepip --upgrade"; \
		exit 1; }
	@echo "Making the Python environment in $(VENV)"
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PYTHON) -m pip --python $(PY) install --quiet --disable-pip-version-check \
		--require-hashes -r requirements-bootstrap.lock
	@touch $@

$(VENV)/.run: requirements.lock $(UV)
	@echo "Installing Cardroom's libraries (a quarter of a minute where nothing is cached)"
	@$(INSTALL) -r requirements.lock
	@$(COMPILED)
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(UV)
	@echo "Installing the libraries for tests and checks"
	@$(INSTALL) -r requirements-dev.lock
	@$(COMPILED)
	@touch $@ $(VENV)/.run

$(VENV)/.docs: requirements-docs.lock $(UV)
	@echo "Installing what builds the documentation"
	@$(INSTALL) -r requirements-docs.lock
	@touch $@

$(VENV)/.browser: requirements-browser.lock $(VENV)/.dev
	@echo "Installing the browser driver"
	@$(INSTALL) -r requirements-browser.lock
	@touch $@
