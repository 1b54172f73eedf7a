"""`docker/kubernetes`, as far as it can be read without a cluster."""

import re
from pathlib import Path

import pytest
import yaml

from config.settings.addresses import check_database_url, check_valkey_url
from config.version import VERSION
from tests.config import compose

HERE = Path(__file__).parents[2] / "docker" / "kubernetes"
MANIFESTS = [one for one in yaml.safe_load_all((HERE / "base/cardroom.yaml").read_text()) if one]
VALUES = yaml.safe_load((HERE / "chart/values.yaml").read_text())
COMPOSE = compose.as_written()
KINDS = [
    name
    for name, service in COMPOSE.items()
    if service["image"] == compose.IMAGE and name != "init"
]


def of_kind(kind):
    return {one["metadata"]["name"]: one for one in MANIFESTS if one["kind"] == kind}


def pods():
    templates = [*of_kind("Deployment").values(), *of_kind("Job").values()]
    return {one["metadata"]["name"]: one["spec"]["template"]["spec"] for one in templates}


def variables(container):
    return {one["name"]: one["value"] for one in container["env"]}


# issue 60, point 7


def test_every_kind_of_process_has_a_deployment():
    assert set(of_kind("Deployment")) == {f"cardroom-{kind}" for kind in KINDS}
    for kind in KINDS:
        pod = pods()[f"cardroom-{kind}"]
        assert [container["args"] for container in pod["containers"]] == [[kind]]
        assert [first["args"][-1] for first in pod["initContainers"]] == ["--check"]


@pytest.mark.parametrize("name", sorted(pods()))
def test_a_pod_may_do_no_more_than_a_container_of_compose(name):
    pod = pods()[name]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False
    for container in (*pod["containers"], *pod.get("initContainers", ())):
        may = container["securityContext"]
        assert may["readOnlyRootFilesystem"]
        assert may["allowPrivilegeEscalation"] is False
        assert may["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]


@pytest.mark.parametrize("name", sorted(pods()))
def test_secrets_are_files_and_settings_are_those_of_compose(name):
    known = COMPOSE["web"]["environment"]
    for container in pods()[name]["containers"]:
        named = variables(container)
        assert set(named) <= set(known)
        assert not {key for key in named if re.search("PASSWORD|SECRET|TOKEN", key)} - {
            key for key in named if key.endswith("_FILE")
        }
        files = {named[key] for key in named if key.endswith("_FILE")}
        assert files == {f"/run/secrets/{file}" for file in COMPOSE["web"]["secrets"]}
        check_database_url(named["DATABASE_URL"])
        check_database_url(named["REPLICA_URL"], "REPLICA_URL")
        check_valkey_url(named["VALKEY_URL"])


def test_there_is_one_beat_and_the_others_may_be_drained_one_by_one():
    beat = of_kind("Deployment")["cardroom-beat"]["spec"]
    assert (beat["replicas"], beat["strategy"]) == (1, {"type": "Recreate"})
    budgets = of_kind("PodDisruptionBudget")
    assert set(budgets) == {f"cardroom-{kind}" for kind in KINDS if kind != "beat"}
    assert {one["spec"]["maxUnavailable"] for one in budgets.values()} == {1}


@pytest.mark.parametrize("kind", KINDS)
def test_a_pod_has_as_long_to_end_as_its_container(kind):
    """And more, by what it waits for before the signal."""
    pod = pods()[f"cardroom-{kind}"]
    grace = COMPOSE[kind].get("stop_grace_period", "10s")
    assert pod["terminationGracePeriodSeconds"] > int(grace.removesuffix("s"))


def test_who_is_asked_whether_it_lives():
    """A pod that answers is not taken out because Postgres does not: every one would be."""
    for kind in KINDS:
        container = pods()[f"cardroom-{kind}"]["containers"][0]
        alive = container["livenessProbe"]
        if kind == "web":
            assert alive["httpGet"]["path"] == container["readinessProbe"]["httpGet"]["path"]
            assert alive["httpGet"]["path"] == "/healthz"
        else:
            assert alive["exec"]["command"] == ["healthy"]


def test_what_scales_names_a_deployment_and_metrics_that_there_are():
    told = (HERE / "examples/metrics.yaml").read_text()
    scalers = of_kind("HorizontalPodAutoscaler")
    assert {"cardroom-web", "cardroom-worker", "cardroom-duties"} <= set(scalers)
    for name, scaler in scalers.items():
        spec = scaler["spec"]
        assert spec["scaleTargetRef"]["name"] == name
        assert "replicas" not in of_kind("Deployment")[name]["spec"]  # or each release undid it
        for metric in spec["metrics"]:
            if metric["type"] != "Resource":
                assert metric[metric["type"].lower()]["metric"]["name"] in told


def test_only_outward_pods_call_strangers():
    policies = of_kind("NetworkPolicy")
    everybody, outward = policies["cardroom"]["spec"], policies["cardroom-outward"]["spec"]
    assert everybody["policyTypes"] == ["Ingress", "Egress"]
    assert not [rule for rule in everybody["egress"] if "ipBlock" in str(rule)]
    assert outward["podSelector"]["matchLabels"]["app.kubernetes.io/component"] == "outward"
    assert "10.0.0.0/8" in outward["egress"][0]["to"][0]["ipBlock"]["except"]


def test_the_chart_is_of_this_release():
    chart = yaml.safe_load((HERE / "chart/Chart.yaml").read_text())
    kustomization = yaml.safe_load((HERE / "base/kustomization.yaml").read_text())
    assert {chart["version"], chart["appVersion"], kustomization["images"][0]["newTag"]} == {
        VERSION
    }
    images = {c["image"] for pod in pods().values() for c in pod["containers"]}
    assert images == {f"cardroom:{VERSION}"}


def test_base_has_the_values_of_the_chart():
    for kind, process in VALUES["processes"].items():
        container = pods()[f"cardroom-{kind}"]["containers"][0]
        assert container["resources"]["limits"] == {"memory": process["memory"]}
        assert container["resources"]["requests"] == process["requests"]


@pytest.mark.parametrize("name", ["postgres", "valkey", "metrics"])
def test_examples_can_be_read(name):
    assert yaml.safe_load((HERE / f"examples/{name}.yaml").read_text())
